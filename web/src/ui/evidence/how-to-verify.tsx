/** A package is checked without the service: by the command, or by the page that lies in it. */
export function HowToVerify() {
  return (
    <div className="how">
      <h3>Verify it without the service</h3>
      <ol>
        <li>
          Take the verifier key from where you kept it. One that comes with the package would prove nothing.
        </li>
        <li>
          On the command line, with the network off if you like:
          <pre>
            <code>cas verify package.zip --key &lt;vkey&gt;</code>
          </pre>
        </li>
        <li>
          Or in a browser: take <code>verify.html</code> out of the archive, open it, drop the archive on it,
          and paste the key. Nothing leaves the computer.
        </li>
      </ol>
      <p className="muted">
        It supports record-keeping. What a framework demands goes further than what models are asked and
        answer.
      </p>
    </div>
  );
}
