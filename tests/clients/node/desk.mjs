// The run that an agent works on: its base URL is the one argument. What the desk does not know is "not found".
export const base = process.argv[2];
export const question = await (await fetch(`${base}/question`)).text();

async function lookUp(name, given) {
  const response = await fetch(`${base}/desk/${name}?${new URLSearchParams(given)}`);
  if (response.status === 404) return "not found";
  return response.json();
}

// Each customer's open orders, every one with its status.
export async function ordersOf(customerIds) {
  const found = {};
  for (const customer_id of customerIds) {
    const orders = await lookUp("orders", { customer_id });
    if (!Array.isArray(orders)) { found[customer_id] = orders; continue; }
    found[customer_id] = {};
    for (const order_id of orders) found[customer_id][order_id] = await lookUp("status", { order_id });
  }
  return found;
}
