import fc from 'fast-check'
import t from 'tap'
import { Grants } from '../../src/agent/grants.js'
import { excerpt } from '../../src/agent/notebook/excerpt.js'
import { Notebook } from '../../src/agent/notebook/notebook.js'
import { wordsOf } from '../../src/agent/notebook/words.js'
import { checkNotebook } from '../../src/agent/tools/check-notebook.js'
import { addNote, deleteNote, editNote, restoreNote } from '../../src/editing/notes.js'
import { revisionOf } from '../../src/store/note.js'
import type { Op } from '../../src/store/ops.js'
import type { Self } from '../../src/store/self.js'
import { home } from '../editing/home.js'

const { signal } = new AbortController()

/** Runs `step` on Ana’s notebook with these notes. */
async function withNotes(
  t: Tap,
  texts: readonly string[],
  step: (world: { self: Self; notebook: Notebook; ids: readonly string[] }) => Promise<void>
): Promise<void> {
  const ana = await home(t, 'Ana')
  await ana.under(async (self) => {
    const notebook = new Notebook(self.store)
    const ids: string[] = []
    for (const text of texts) ids.push((await addNote(self, text)).id)
    await step({ self, notebook, ids })
    notebook.close()
  })
}
type Tap = Parameters<typeof home>[0]

async function titles(notebook: Notebook, question: string, deleted = false): Promise<string[]> {
  return (await notebook.search(question, { deleted })).notes.map(({ note }) => note.title)
}

t.test('without a grant it does nothing, with one it answers', async (t) => {
  const grants = await Grants.open(t.testdir(), (error) => void t.fail(String(error)))
  await withNotes(t, ['The key is under the stone.', 'Milk'], async ({ notebook, ids }) => {
    const tool = checkNotebook({ grants, notebook })
    await t.rejects(tool({ query: 'key' }, signal), { code: 'E_NOT_GRANTED' })
    await grants.grant('notebook')
    const answer = await tool({ query: 'where is my key' }, signal)
    t.match(answer, { notes: [{ id: ids[0], title: 'The key is under the stone.' }], more: 0 })
    t.same(Object.keys((answer as { notes: object[] }).notes[0]!), ['id', 'title', 'time', 'excerpt'])
    t.same(await tool({ query: 'umbrella' }, signal), { notes: [], more: 0 })
    await grants.revoke('notebook')
    await t.rejects(tool({ query: 'key' }, signal), { code: 'E_NOT_GRANTED' })
  })
})

t.test(
  'what fits: all words first, beginnings, misspelt ones, accents, scripts without spaces',
  async (t) => {
    const texts = [
      'Dentist\nDr. Brückner, Tuesday at nine',
      'Tuesday: market',
      'Vegetables from the market hall',
      '歯医者の予約は火曜日です'
    ]
    await withNotes(t, texts, async ({ notebook }) => {
      t.same(await titles(notebook, 'tuesday dentist'), ['Dentist'], 'those that have all words')
      t.same((await titles(notebook, 'tuesday vegetables')).sort(), [
        'Dentist',
        'Tuesday: market',
        'Vegetables from the market hall'
      ])
      t.same(await titles(notebook, 'VEGET'), ['Vegetables from the market hall'])
      t.same(await titles(notebook, 'vegtables'), ['Vegetables from the market hall'])
      t.same(await titles(notebook, 'bruckner'), ['Dentist'])
      t.same(await titles(notebook, '予約'), ['歯医者の予約は火曜日です'])
      t.same(await titles(notebook, '?!'), [])
      t.same((await titles(notebook, 'market'))[0], 'Tuesday: market', 'a title counts more')
    })
  }
)

t.test('what every note has doesn’t decide, unless it is all that is asked for', async (t) => {
  const texts = Array.from({ length: 150 }, (_, n) => `Call the office ${n}`)
  const ana = await home(t, 'Ana')
  await ana.under(async ({ store }) => {
    const ops = texts.map((text, n): Op => {
      const id = n.toString(16).padStart(32, '0')
      return { type: 'note', id, revision: revisionOf(id, text, null), text, over: [], time: n }
    })
    await store.append(...ops)
    const notebook = new Notebook(store)
    t.same(await titles(notebook, 'the office 77'), ['Call the office 77'])
    t.same(await titles(notebook, 'the umbrella'), [])
    t.equal((await titles(notebook, 'the')).length, 150)
  })
})

t.test('it follows what becomes of the notes', async (t) => {
  await withNotes(t, ['Milk', 'Bread'], async ({ self, notebook, ids: [milk] }) => {
    t.same(await titles(notebook, 'milk'), ['Milk'])
    await editNote(self, milk!, 'Cheese', {})
    t.same(await titles(notebook, 'milk'), [])
    t.same(await titles(notebook, 'cheese'), ['Cheese'])
    await deleteNote(self, milk!)
    t.same(await titles(notebook, 'cheese'), [])
    t.same(await titles(notebook, 'cheese', true), ['Cheese'], 'among the deleted ones')
    await restoreNote(self, milk!)
    t.same(await titles(notebook, 'cheese'), ['Cheese'])
    await Promise.all([titles(notebook, 'eggs'), addNote(self, 'Eggs')])
    t.same(await titles(notebook, 'eggs'), ['Eggs'], 'also what comes while it is searched')
    self.store.emit('change', new Set(['note']), null)
    t.same(await titles(notebook, 'cheese'), ['Cheese'], 'and where anything may have changed')
  })
})

t.test('an answer has no more notes than it was asked for', async (t) => {
  const grants = await Grants.open(t.testdir(), (error) => void t.fail(String(error)))
  await grants.grant('notebook')
  const texts = Array.from({ length: 14 }, (_, n) => `Call ${n}\n${'x '.repeat(1000)}`)
  await withNotes(t, texts, async ({ notebook }) => {
    const tool = checkNotebook({ grants, notebook })
    const asked = async (args: object): Promise<[number, unknown]> => {
      const { notes, more } = await tool({ query: 'call', ...args }, signal)
      t.ok(JSON.stringify(notes).length < 6000)
      return [(notes as unknown[]).length, more]
    }
    t.same(await asked({}), [10, 4])
    t.same(await asked({ limit: 3 }), [3, 11])
    t.same(await asked({ limit: 50 }), [14, 0])
  })
})

t.test('an excerpt is where the words are', async (t) => {
  const filler = 'and so on and on '.repeat(40)
  const text = `Trip\n${filler}the harbour\n${filler}from the harbour the ferry leaves at nine ${filler}`
  const cut = excerpt(text, new Set(['harbour', 'ferry']))
  t.match(cut, /^….* from the harbour the ferry leaves at nine .*…$/)
  t.ok(cut.length <= 242)
  t.equal(excerpt('Milk,\n\n  bread', new Set(['bread'])), 'Milk, bread')
  t.match(excerpt(text, new Set(['zebra'])), /^Trip and so on .*…$/, 'its beginning where they aren’t')
  t.match(excerpt(`${'x'.repeat(500)} ferry`, new Set(['ferry'])), /ferry$/)
  const wide = excerpt('😀'.repeat(300), new Set(['x']))
  t.ok(wide.isWellFormed() && wide.endsWith('…'))
})

t.test('whatever a text is, its words stand where they are said to, and an excerpt is bounded', async (t) => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('Ferry', ' ', '\n', '歯医者', 'ﬁ', 'É')
  )
  const text = fc.array(piece, { maxLength: 200 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(text, fc.array(fc.nat()), (text, picks) => {
      const words = [...wordsOf(text)]
      let last = 0
      for (const { from, to } of words) {
        if (from < last || to <= from || to > text.length) throw new Error(`a word at ${from} to ${to}`)
        last = to
      }
      const terms = new Set(picks.flatMap((n) => words[n % words.length]?.term ?? []))
      const cut = excerpt(text, terms)
      if (cut.length > 242 || /[\n\r\t]/.test(cut)) throw new Error('too much of an excerpt')
      if (text.isWellFormed() && !cut.isWellFormed()) throw new Error('half a character')
      const isThere = terms.size === 0 || [...wordsOf(cut)].some(({ term }) => terms.has(term))
      if (!isThere) throw new Error(`none of ${[...terms].join()} in ${cut}`)
    }),
    { numRuns: 300 }
  )
  t.pass('300 texts')
})
