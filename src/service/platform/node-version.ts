/** Says in words that Node is too old, before anything that needs a newer one runs. Must be imported first. */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 24 || (major === 24 && minor < 7)) {
  process.stderr.write(
    `This service needs Node 24.7 or newer; this is Node ${process.versions.node}. ` +
      `"npm ci" brings a fitting one along: start with "npm start".\n`,
  );
  process.exit(1);
}
