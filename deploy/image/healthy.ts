/**
 * Health check of a container: `node healthy.js <port>` exits with 0 when the service in this container is ready;
 * otherwise it prints the reason and exits with 1.
 */
const port = Number(process.argv[2] ?? 9090);
const LIMIT_MS = 4_000;

try {
  // Works for any listening address: Node.js tries IPv6 and IPv4.
  const answer = await fetch(`http://localhost:${port}/health/ready`, {
    signal: AbortSignal.timeout(LIMIT_MS),
  });
  if (!answer.ok) {
    process.stderr.write(`not ready: ${answer.status} ${await answer.text()}\n`);
    process.exitCode = 1;
  }
} catch (error) {
  process.stderr.write(`no answer on port ${port}: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
