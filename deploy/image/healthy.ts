/**
 * Health check of a container: `node healthy.js <port>` leaves with 0 when this process's service is ready, with 1
 * and the reason otherwise.
 */
const port = Number(process.argv[2] ?? 9090);
const LIMIT_MS = 4_000;

try {
  const answer = await fetch(`http://127.0.0.1:${port}/health/ready`, {
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
