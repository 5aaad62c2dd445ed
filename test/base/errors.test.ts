import t from 'tap'
import { ERRORS, type ErrorCode } from '../../src/base/codes.js'
import { isSelkieError, SelkieError } from '../../src/base/errors.js'
import { printable } from '../../src/base/printable.js'

const codes = Object.keys(ERRORS) as ErrorCode[]

t.test('every code says what happened and what to do next', (t) => {
  for (const code of codes) {
    const { says, hint } = ERRORS[code]
    const names = [...`${says}${hint}`.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
    const error = new SelkieError(code, Object.fromEntries(names.map((name) => [name, `<${name}>`])))
    const shown = `${error.message}\n${error.hint}`
    const faults = [
      ...names.filter((name) => !shown.includes(`<${name}>`)).map((name) => `{${name}} stays empty`),
      /[{}]/.test(shown) ? 'a brace is left' : '',
      /^\S[^]*[.?!]$/.test(error.message) ? '' : 'what happened is no sentence',
      /^\S[^]*[.?!`)]$/.test(error.hint) ? '' : 'what to do next is no sentence',
      shown.includes("'") ? 'an apostrophe isn’t typographic' : ''
    ]
    t.same(faults.filter(Boolean), [], code)
  }
  t.end()
})

t.test('a field can’t fill another field', (t) => {
  const error = new SelkieError('E_SLUG_TAKEN', { slug: '{kind}', kind: 'skill' })
  t.equal(error.message, '@{kind} is already a skill.')
  t.end()
})

t.test('an error keeps its fields and its cause, and shows neither', (t) => {
  const cause = new Error('from a library')
  const error = new SelkieError('E_SLUG_TAKEN', { slug: 'plan', kind: 'skill' }, { cause })
  t.equal(error.cause, cause)
  t.same(error.fields, { slug: 'plan', kind: 'skill' })
  t.equal(error.name, 'SelkieError')
  t.notMatch(error.message, /library/)
  t.ok(isSelkieError(error))
  t.ok(isSelkieError(error, 'E_SLUG_TAKEN'))
  t.notOk(isSelkieError(error, 'E_SLUG_FORM'))
  t.notOk(isSelkieError(cause))
  t.end()
})

t.test('what a terminal obeys is made visible in a message', (t) => {
  const { message } = new SelkieError('E_SLUG_TAKEN', { slug: '\u001b[2Jplan', kind: 'skill\u202e' })
  t.equal(message, '@\\u{1b}[2Jplan is already a skill\\u{202e}.')
  t.end()
})

t.test('printable', (t) => {
  const hidden: Record<string, string> = {
    'escape sequence': '\u001b',
    'carriage return': '\r',
    'C1 control': '\u009b',
    'soft hyphen': '\u00ad',
    'zero-width space': '\u200b',
    'right-to-left override': '\u202e',
    isolate: '\u2066',
    'line separator': '\u2028',
    'word joiner': '\u2060',
    'Hangul filler': '\u3164',
    'byte order mark': '\ufeff',
    'interlinear annotation': '\ufff9',
    'tag letter': '\u{e0041}',
    'smuggled variation selector': '\u{e0101}'
  }
  for (const [name, char] of Object.entries(hidden)) {
    t.equal(printable(`a${char}b`), `a\\u{${char.codePointAt(0)!.toString(16)}}b`, name)
  }
  for (const text of ['two\nlines\tand a tab', '👩‍💻 ❤️', 'Ünïcödé 北京 עברית', '']) {
    t.equal(printable(text), text, JSON.stringify(text))
  }
  t.end()
})
