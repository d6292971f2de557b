let hasSent = false

/** Called for each import; the program goes on when this has resolved it. Bundles import `node:module` for themselves. */
export async function resolve(specifier, context, nextResolve) {
  if (!hasSent && specifier.startsWith('node:') && specifier !== 'node:module') {
    hasSent = true
    process.kill(process.pid, 'SIGTERM')
  }
  return nextResolve(specifier, context)
}
