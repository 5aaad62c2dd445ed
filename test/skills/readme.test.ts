import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8')
const section =
  readme.split(/^(?=## )/m).find((part) => part.startsWith('## As a library: `selkie/skills`\n')) ?? ''
const examples = [...section.matchAll(/^```js\n([^]*?)^```$/gm)].map((match) => match[1]!)

t.ok(examples.length > 0, 'the README shows how it is used')

for (const [i, example] of examples.entries()) {
  t.test(`example ${i + 1} of the README prints what it says`, async (t) => {
    const said = [...example.matchAll(/^\/\/ prints: (.*)$/gm)].map((match) => match[1])
    t.ok(said.length > 0)
    // In the project’s folder its own name leads to its build.
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', example], {
      cwd: root
    })
    t.same(stdout.trimEnd().split('\n'), said)
  })
}
