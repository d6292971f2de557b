import '../colours.css'
import './verify.css'
import { render } from 'preact'
import { VerifyPage } from './verify-page.tsx'

const root = document.getElementById('app')
if (root === null) throw new Error('the page has no place for the verification')
// The page comes with the service's key, so that it need not ask for anything.
render(<VerifyPage signingKey={document.documentElement.dataset['signingKey']} />, root)
