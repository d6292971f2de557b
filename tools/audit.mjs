import { spawnSync } from 'node:child_process'
import { exitCodes, runMain } from './terminal/program.mjs'

const usage = `npm run --silent audit:production

Asks the package registry for known vulnerabilities of what production installs. Mirrors and closed networks often offer
no audit: then nothing is known, which is said in one line and is not a problem found.`

runMain({ usage, problemFound: 'a known vulnerability concerns production' }, () => {
  const { stdout, error } = spawnSync('npm', ['audit', '--omit=dev', '--omit=optional', '--json'], {
    encoding: 'utf8',
    timeout: 120_000,
    maxBuffer: 64 * 1024 * 1024,
  })
  const report = parse(stdout ?? '')

  if (report?.auditReportVersion === undefined) {
    const reason = report?.message ?? report?.error?.summary ?? error?.code ?? 'no answer'
    console.log(`npm audit: NOT CHECKED, the package registry gave no audit (${firstLine(String(reason))}).`)
    return exitCodes.done
  }
  const found = Object.values(report.vulnerabilities ?? {})
  for (const { name, severity, range, via } of found) {
    const titles = via.map((cause) => (typeof cause === 'string' ? `by ${cause}` : cause.title)).join('; ')
    console.log(`${severity}: ${name} ${range}: ${titles}`)
  }
  console.log(`npm audit: ${found.length} vulnerable packages in production.`)
  return found.length > 0 ? exitCodes.problemFound : exitCodes.done
})

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Without addresses of registries, which do not belong in a public log. */
function firstLine(text) {
  return text
    .split('\n', 1)[0]
    .replace(/ - [A-Z]+ \S+$/, '')
    .replace(/https?:\/\/\S+/g, '…')
}
