// Reports that Node is too old. Older versions must be able to read this file, so it uses no new syntax.
const [major, minor] = process.versions.node.split('.').map(Number);
if (!(major === 24 || (major === 20 && minor >= 19))) {
  process.stderr.write(
    `cas: Node 20 (20.19 or newer) or Node 24 is needed; this is ${process.versions.node}.\n`,
  );
  process.exit(1);
}
