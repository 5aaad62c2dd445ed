import t from 'tap'
import type { Contact, Review, ReviewedSkill } from '../../src/api.js'
import { renderPaired } from '../../src/cli/contact.js'
import { renderDeliveries } from '../../src/cli/deliveries.js'
import { aligned, oneLine, quoted, sized } from '../../src/cli/table.js'
import { renderUsage, renderVerbUsage } from '../../src/cli/usage.js'
import { loadVerb, VERB_NAMES } from '../../src/cli/verbs.js'
import { renderImported } from '../../src/cli/verbs/accept.js'
import { verb as seal } from '../../src/cli/verbs/seal.js'
import { renderFounded } from '../../src/cli/verbs/init.js'
import { renderReview } from '../../src/cli/verbs/review.js'

const IDENTITY = 'ab'.repeat(32)
const ID = '0f'.repeat(16)

const PLAN: ReviewedSkill = {
  incoming: 'plan',
  uid: '01'.repeat(16),
  slug: 'plan-2',
  status: 're-slugged',
  title: 'Plan',
  summary: 'How to plan.',
  header: 'name: plan\nallowed-tools: Read\n',
  author: { name: 'Anna', identity: IDENTITY, known: true },
  lineage: [{ version: 'cd'.repeat(32), author: 'Anna', time: '2026-03-01T12:00:00Z' }],
  body: 'First @find-file.\nThen plan.\n',
  files: [{ path: 'run.sh', size: 2048, hash: 'ef'.repeat(32), exec: true }],
  tools: ['find_file'],
  mentions: ['find-file']
}

const REVIEW: Review = {
  id: ID,
  sender: { name: 'Anna', identity: IDENTITY, verified: false },
  note: 'Have a look\nTo take all of it in: rm -rf',
  root: 'plan',
  created: '2026-03-01T12:00:00Z',
  bytes: 4096,
  skills: [PLAN],
  tools: { needed: ['find_file'], missing: [], notGranted: ['find_file'] },
  warnings: [],
  blocked: [],
  digest: '12'.repeat(32)
}

/** A text without the widths of columns. */
const loose = (text: string): string => text.replace(/ {2,}/g, '  ')

t.test('a review says who, what, with what abilities, and how to go on', (t) => {
  const text = loose(renderReview(REVIEW))
  for (const part of [
    '@plan from Anna, not verified',
    `identity ${IDENTITY}`,
    'plan  → @plan-2  re-slugged: not here yet, and its name is taken',
    '@plan-2  Plan\n  How to plan.\n  by Anna, 1 version',
    '  Its frontmatter:\n  │ name: plan\n  │ allowed-tools: Read\n',
    '  │ First @find-file.\n  │ Then plan.',
    '2.0 KiB  executable  run.sh',
    'needed  find_file\n  not granted  find_file',
    `To take all of it in:  selkie accept ${ID}\n`,
    `selkie decline ${ID}`,
    'unless you add --exec'
  ]) {
    t.ok(text.includes(part), part)
  }
  t.notMatch(text, /^To take all of it in: rm/m, 'what the sender wrote can’t pass for what we say')
  t.match(text, /^ {2}│ To take all of it in: rm/m)
  t.end()
})

t.test('a review shows only what there is', (t) => {
  const plain = { ...PLAN, files: [], tools: [], mentions: [] }
  const text = renderReview({
    ...REVIEW,
    note: '',
    sender: { ...REVIEW.sender, verified: true },
    skills: [plain],
    tools: { needed: [], missing: [], notGranted: [] }
  })
  t.match(text, 'Anna, verified\n')
  t.match(text, 'It needs none.')
  for (const absent of ['Note', 'warning', 'In the way', '--exec', 'file\n']) t.notMatch(text, absent)
  t.end()
})

t.test('a diff and a merge stand in place of the text, and the same is not shown again', (t) => {
  const diverged: ReviewedSkill = {
    ...PLAN,
    status: 'diverged',
    diff: '@@ -1 +1 @@\n-old\n+new\n',
    merge: { clean: false, text: '<<<<<<< yours\nmine\n=======\nnew\n>>>>>>> theirs\n' }
  }
  const text = renderReview({ ...REVIEW, skills: [diverged, { ...PLAN, slug: 'plan-3', status: 'same' }] })
  t.match(text, '  │ @@ -1 +1 @@\n  │ -old\n  │ +new')
  t.match(text, 'merge them by hand:\n  │ <<<<<<< yours')
  t.notMatch(text, 'First @find-file')
  t.end()
})

t.test('what is in the way is named, and the commands deal with it', (t) => {
  const hidden = { code: 'W_HIDDEN', message: 'A character that can’t be seen.', skill: 'plan', line: 3 }
  const text = loose(
    renderReview({ ...REVIEW, note: '', warnings: [{ ...hidden, path: 'a.md' }], blocked: [hidden, hidden] })
  )
  t.match(text, '1 warning\n  “plan”, a.md, line 3: A character that can’t be seen. (W_HIDDEN)')
  t.match(text, 'In the way\n  “plan”, line 3: A character')
  t.notMatch(text, '--drop', 'without it nothing would be left')
  t.match(text, `selkie accept ${ID} --use-mine plan=SLUG\n`)
  t.notMatch(text, 'To take all of it in:')
  const rest = renderReview({ ...REVIEW, skills: [PLAN, { ...PLAN, incoming: 'pack' }], blocked: [hidden] })
  t.match(rest, `selkie accept ${ID} --drop plan\n`)
  const here = renderReview({
    ...REVIEW,
    skills: [{ ...PLAN, slug: 'budget', status: 'diverged' }],
    blocked: [hidden]
  })
  t.match(here, ' --use-mine plan=budget\n', 'what is here already is what can stand in')
  const whole = renderReview({ ...REVIEW, blocked: [{ code: 'W_ALL', message: 'It is for another node.' }] })
  t.match(whole, 'It can’t be taken in.')
  t.notMatch(whole, 'selkie accept')
  t.end()
})

t.test('the 24 words are numbered, each once', (t) => {
  const words = Array.from({ length: 24 }, (_, i) => `word${String.fromCharCode(97 + i)}`)
  const text = renderFounded({ name: 'Anna', identity: IDENTITY, device: '', words: words.join(' ') })
  words.forEach((word, i) => t.equal(text.split(`${i + 1} ${word}`).length, 2, word))
  t.end()
})

t.test('a new contact is shown with the words to compare', (t) => {
  const words = 'one two three four five six seven eight nine ten eleven twelve'
  const contact: Contact = {
    name: 'Anna Bo',
    identity: IDENTITY,
    verified: false,
    devices: [],
    safetyWords: words,
    online: false
  }
  const text = renderPaired(contact)
  t.match(text, '  one two three four\n  five six seven eight\n  nine ten eleven twelve\n')
  t.match(text, /selkie verify 'Anna Bo'$/)
  t.notMatch(renderPaired({ ...contact, verified: true }), 'one two')
  t.end()
})

t.test('a delivery is a line, with what holds it up under it', (t) => {
  const delivery = {
    id: ID,
    contact: 'Anna\nBo',
    root: 'plan',
    state: 'queued',
    bytes: 12,
    time: 'not a time'
  } as const
  const problem = { code: 'E_QUOTA', message: 'The inbox is full.', hint: 'Wait.' }
  const text = loose(
    renderDeliveries(
      [
        { ...delivery, note: 'a\nb', problem },
        { ...delivery, bytes: 1 }
      ],
      'to'
    )
  )
  t.equal(
    text,
    `${ID}  queued  not a time  12 bytes  @plan to Anna Bo
  “a b”
  The inbox is full. Wait. (E_QUOTA)
${ID}  queued  not a time  1 byte  @plan to Anna Bo`
  )
  t.end()
})

t.test('usage of a verb', async (t) => {
  const text = await renderVerbUsage('seal', seal)
  t.match(text, /^selkie seal @slug --to CONTACT --out FILE \[flags\]\nSeal a skill/)
  t.match(text, /^ {2}--note N {6}A few words to go with it$/m)
  t.notMatch(text, 'See also')
})

t.test('`model --help` didn’t say that there is `model set`', async (t) => {
  for (const group of [
    'model',
    'profile',
    'profiles',
    'note',
    'device',
    'devices',
    'grant',
    'instructions',
    'runs'
  ]) {
    const load = loadVerb(group)
    const text = load ? await renderVerbUsage(group, (await load()).verb) : await renderUsage(group)
    const about = VERB_NAMES.filter((name) => new RegExp(`^${group.replace(/s$/, '')}s?( |$)`).test(name))
    t.ok(about.length > 1, group)
    for (const name of about) t.match(text, new RegExp(`^(selkie| ) ${name}( |$)`, 'm'))
    t.notMatch(text, /^ {2}(list|contacts) /m, 'the other verbs aren’t shown')
  }
  const { verb } = await loadVerb('model')!()
  t.match(await renderVerbUsage('model', verb), /^See also\n {2}model set .*\n {2}model clear /m)
})

t.test('tables: columns line up, and a cell stays in its line', (t) => {
  t.equal(
    aligned([
      ['a', 'b', 'c'],
      ['aa', '', 'c']
    ]),
    'a   b  c\naa     c'
  )
  t.equal(
    aligned([
      ['\u001b[1ma\u001b[22m', 'x'],
      ['aaa', 'x']
    ]),
    '\u001b[1ma\u001b[22m    x\naaa  x'
  )
  t.equal(oneLine(' a\n\tb '), 'a b')
  t.equal(quoted('a\n\nb\n'), '  │ a\n  │\n  │ b')
  t.same([0, 1, 1023, 1024, 1024 * 1024].map(sized), [
    '0 bytes',
    '1 byte',
    '1023 bytes',
    '1.0 KiB',
    '1.0 MiB'
  ])
  t.end()
})

t.test('what diverged says how the two come together', (t) => {
  const imported = [
    { incoming: 'plan', slug: 'trip', status: 'diverged' as const },
    { incoming: 'pack', slug: 'pack', status: 'new' as const }
  ]
  t.match(renderImported({ id: ID, imported }), /kept beside it\. To merge:\n {2}selkie merge @trip$/)
  t.notMatch(renderImported({ id: ID, imported: imported.slice(1) }), 'merge')
  t.end()
})
