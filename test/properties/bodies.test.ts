import fc from 'fast-check'
import t from 'tap'
import type { Slug, Uid } from '../../src/base/ids.js'
import {
  isCanonical,
  linked,
  refKey,
  refsOf,
  sameBody,
  shown,
  type LinkedBody,
  type Ref,
  type RefOf,
  type SlugOf
} from '../../src/namespace/linked.js'
import { escapeMentions, mentions } from '../../src/namespace/mention.js'
import { isSlug } from '../../src/namespace/slug.js'
import { toolByName, toolBySlug, TOOLS } from '../../src/namespace/tool.js'
import { uidOf } from '../namespace/skills.js'

const SKILLS = 6

/** Any slug, also of one and of 64 characters. */
const slug = fc.oneof(
  fc.constantFrom('a', '7', 'x', 'plan', 'plan-trip', 'a'.repeat(64), `${'a-'.repeat(31)}aa`),
  fc.stringMatching(/^[a-z0-9]{1,8}(-[a-z0-9]{1,8}){0,5}$/)
) as fc.Arbitrary<Slug>

/** A name for each of the skills, and what it makes of slugs and uids. */
interface Naming {
  readonly slugs: readonly Slug[]
  readonly slugOf: SlugOf
  readonly refOf: RefOf
}
const naming: fc.Arbitrary<Naming> = fc
  .uniqueArray(
    slug.filter((candidate) => isSlug(candidate) && !toolBySlug(candidate)),
    { minLength: SKILLS, maxLength: SKILLS }
  )
  .map((slugs) => {
    const uids = new Map(slugs.map((name, n) => [name, uidOf(n)]))
    return {
      slugs,
      slugOf: (uid: Uid) => slugs[Number.parseInt(uid, 16)]!,
      refOf: (name: Slug) => {
        const uid = uids.get(name)
        if (uid) return { skill: uid }
        const tool = toolBySlug(name)
        return tool && { tool: tool.name }
      }
    }
  })

/** Pieces that decide where Markdown is code, and what may stand beside a mention. */
const syntax = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(' ', '\n', '\n\n', '`', '``', '```', '~~~', '\\', '    ', '\t', '\r\n')
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '\n```\n',
      '\n~~~\n',
      '\n    ',
      '\n> ',
      '> ',
      '\n- ',
      '\n1. ',
      '\n# ',
      '\n---\n',
      '\n===\n',
      '\n<div>\n',
      '<b>',
      '</b>',
      '<!-- ',
      ' -->',
      '[',
      ']',
      '](',
      ')',
      '[a]: ',
      '<http://x`',
      '<a b="`">',
      '*',
      '_',
      '**',
      '|',
      '&amp;',
      '&#96;'
    )
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '.',
      '-',
      '/',
      '@',
      ':',
      'a',
      'Z',
      '9',
      'é',
      'e\u0301',
      '北',
      '👍',
      '\u200b',
      '\ufeff',
      'text'
    )
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 5 }) }
)

/** A Markdown text that mentions skills by the names that they have, tools, and what isn’t there. */
const markdown = (slugs: readonly Slug[]): fc.Arbitrary<string> => {
  const mention = fc
    .tuple(fc.constantFrom(...slugs, ...TOOLS.map((tool) => tool.slug), 'no-such-skill'), fc.boolean())
    .map(([name, shout]) => `@${shout ? name.toUpperCase() : name}`)
  const piece = fc.oneof(
    { weight: 3, arbitrary: syntax },
    { weight: 1, arbitrary: mention },
    {
      weight: 1,
      arbitrary: mention.map((text) => `\`${text}\``)
    }
  )
  return fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))
}

const named = naming.chain((names) => fc.record({ names: fc.constant(names), text: markdown(names.slugs) }))
const RUNS = { numRuns: 1500 }

t.test('a shown body, parsed again, is the linked body, under every naming', (t) => {
  fc.assert(
    fc.property(named, naming, ({ names, text }, others) => {
      const { body, unknown } = linked(text, names.refOf)
      fc.pre(unknown.every((name) => !others.refOf(name)))
      const again = linked(shown(body, others.slugOf), others.refOf)
      return sameBody(body, again.body) && again.unknown.join() === unknown.join()
    }),
    RUNS
  )
  t.end()
})

t.test('a text whose mentions all resolve gives a canonical body', (t) => {
  fc.assert(
    fc.property(named, ({ names, text }) => {
      const { body, unknown } = linked(text, names.refOf)
      return isCanonical(body) === (unknown.length === 0)
    }),
    RUNS
  )
  t.end()
})

t.test('a body that is canonical is so under every naming, and no other is under any', (t) => {
  const ref: fc.Arbitrary<Ref> = fc.oneof(
    fc.nat({ max: SKILLS - 1 }).map((n) => ({ skill: uidOf(n) })),
    fc.constantFrom(...TOOLS).map((tool) => ({ tool: tool.name }))
  )
  const text = fc.array(syntax, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(''))
  const body: fc.Arbitrary<LinkedBody> = fc.array(fc.oneof(ref, text), { maxLength: 9 })
  let canonical = 0
  fc.assert(
    fc.property(body, naming, (parts, names) => {
      const again = linked(shown(parts, names.slugOf), names.refOf)
      const comesBack = again.unknown.length === 0 && sameBody(parts, again.body)
      canonical += comesBack ? 1 : 0
      return isCanonical(parts) === comesBack
    }),
    { numRuns: 3000 }
  )
  t.ok(canonical > 100, 'enough of them were canonical')
  t.end()
})

t.test('a rename changes what is shown of a mention, and nothing beside it', (t) => {
  fc.assert(
    fc.property(named, naming, ({ names, text }, others) => {
      const { body } = linked(text, names.refOf)
      const before = shown(body, names.slugOf)
      const after = shown(body, others.slugOf)
      let [from, to] = [0, 0]
      for (const part of body) {
        const [old, now] = typeof part === 'string' ? [part, part] : [at(part, names), at(part, others)]
        if (!before.startsWith(old, from) || !after.startsWith(now, to)) return false
        from += old.length
        to += now.length
      }
      return from === before.length && to === after.length
    }),
    RUNS
  )
  t.end()
})

function at(ref: Ref, names: Naming): string {
  return `@${'skill' in ref ? names.slugOf(ref.skill) : toolByName(ref.tool)!.slug}`
}

t.test('mentions are the references, and once escaped they are none', (t) => {
  fc.assert(
    fc.property(named, ({ names, text }) => {
      const found = mentions(text)
      const refs = refsOf(linked(text, names.refOf).body).map(refKey)
      const resolved = found.map(names.refOf).filter((ref) => ref !== undefined)
      if (refs.join() !== resolved.map(refKey).join()) return false
      const [first] = found
      if (first === undefined) return true
      const others = mentions(escapeMentions(text, new Set([first])))
      return (
        others.join() === found.slice(1).join() && mentions(escapeMentions(text, new Set(found))).length === 0
      )
    }),
    RUNS
  )
  t.end()
})
