import { expect } from 'chai'
import { startCommand } from './follow-readme.ts'
import { readDocument } from './markdown.ts'

const readme = readDocument('README.md')

// test/flows/processes/npm-start.test.ts follows it as a newcomer does.
describe('README.md', () => {
  it('starts the service with npm ci and npm start', () => {
    expect(startCommand).to.equal('npm ci && npm start\n')
  })

  it('is no longer than a screen and a half', () => {
    expect(readme.split('\n').length).to.be.lessThan(90)
  })
})
