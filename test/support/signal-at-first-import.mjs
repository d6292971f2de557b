let hasSent = false
const ofBundles = ['node:module', 'node:v8']

/** Called for each import; the program continues when this has resolved it. Bundles begin with imports of their own. */
export async function resolve(specifier, context, nextResolve) {
  if (!hasSent && specifier.startsWith('node:') && !ofBundles.includes(specifier)) {
    hasSent = true
    process.kill(process.pid, 'SIGTERM')
  }
  return nextResolve(specifier, context)
}
