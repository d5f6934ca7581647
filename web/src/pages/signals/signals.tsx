export function Page() {
  return <h1>Signals</h1>;
}
