// Prints how many assertions passed and how many failed, `N N`, as tap itself counted:
//
//   node .ci/count.mjs OUTPUT STATUS
//
// OUTPUT is tap's, STATUS its exit status. Skipped and todo ones are neither. What can't
// be counted is a failure: no count, none passed, or a bad status although none failed.
import { readFileSync } from 'node:fs'

const [output, status] = process.argv.slice(2)

const totals =
  readFileSync(output, 'utf8')
    .match(/^# \{ total: .*\}$/gm)
    ?.at(-1) ?? ''
const count = (name) => Number(new RegExp(`\\b${name}: (\\d+)`).exec(totals)?.[1] ?? 0)

const passed = count('pass')
const failed = count('fail')
const unsaid = passed === 0 || (status !== '0' && failed === 0)
console.log(`${passed} ${failed + (unsaid ? 1 : 0)}`)
