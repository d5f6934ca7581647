/** How to verify a package without the service: with the command, or with the page inside it. */
export function HowToVerify() {
  return (
    <div className="how">
      <h3>Verify offline</h3>
      <ol>
        <li>Use the verifier key you saved, not the one in the package.</li>
        <li>
          On the command line (no network needed):
          <pre>
            <code>cas verify package.zip --key &lt;vkey&gt;</code>
          </pre>
        </li>
        <li>
          Or in a browser: extract <code>verify.html</code> from the archive, open it, drop the archive on it
          and paste the key. Nothing leaves your computer.
        </li>
      </ol>
      <p className="muted">
        A package supports record-keeping. Frameworks require more than records of language-model activity.
      </p>
    </div>
  );
}
