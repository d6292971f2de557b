import { expect } from 'chai'
import { startCommand } from './follow-readme.ts'
import { readDocument, readTable } from './markdown.ts'

const readme = readDocument('README.md')
const { scripts } = JSON.parse(readDocument('package.json')) as { scripts: Record<string, string> }

// test/local/npm-start.test.ts follows it as a newcomer does.
describe('README.md', () => {
  it('names only scripts that exist', () => {
    const named = [
      ...readme.matchAll(/\bnpm (?:run )?(start|test|check|bench|[a-z]+:[a-z]+|migrate|build)\b/g),
    ]
    expect(named.length).to.be.greaterThan(7)
    for (const [, name = ''] of named) expect(scripts).to.have.property(name)
  })

  it('starts the service with npm ci and npm start', () => {
    expect(startCommand).to.equal('npm ci && npm start\n')
  })

  it('lists the variables that the tests of npm start set', () => {
    const variables = readTable(readme, '## Run it').map(([variable]) => variable)
    expect(variables).to.include.members(['LOCAL_DIR', 'PORT'])
  })
})
