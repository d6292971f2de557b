export const style = `
:root { color-scheme: light dark; --back: #fff; --soft-back: #f2f4f7; --text: #1a2230; --soft: #5a6577; --line: #d5dbe4; --go: #1f5fbf }
@media (prefers-color-scheme: dark) { :root { --back: #12161d; --soft-back: #1b212b; --text: #e7ebf1; --soft: #a3aebd; --line: #384252; --go: #8ab4f8 } }
* { box-sizing: border-box }
body { margin: 0; display: grid; grid-template-columns: 20rem minmax(0, 1fr); background: var(--back); color: var(--text); font: 1rem/1.5 system-ui, sans-serif }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1rem; border-right: 1px solid var(--line); font-size: .875rem }
nav ul { list-style: none; margin: 0 0 1rem; padding: 0 }
nav li { margin: .25rem 0 }
main { max-width: 64rem; padding: 1rem 2rem 4rem }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--line) }
h3 { margin: 2.5rem 0 .5rem }
h4 { margin: 1.25rem 0 .25rem }
a { color: var(--go) }
code { font: .875em ui-monospace, monospace; overflow-wrap: anywhere }
pre { overflow: auto; max-height: 24rem; padding: .75rem; background: var(--soft-back); border-radius: .5rem }
pre code { overflow-wrap: normal }
table { width: 100%; border-collapse: collapse; font-size: .875rem }
th, td { padding: .375rem .5rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top }
summary { cursor: pointer; padding: .25rem 0 }
.method { display: inline-block; min-width: 4rem; color: var(--go); font-weight: 700 }
.soft { color: var(--soft) }
@media (max-width: 50rem) { body { display: block } nav { position: static; height: auto; border: 0 } main { padding: 1rem } }
`
