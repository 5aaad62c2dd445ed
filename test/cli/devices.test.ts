import t from 'tap'
import type { OwnDevice } from '../../src/api.js'
import { namedDevice } from '../../src/cli/device.js'
import { renderDeviceInvite, renderInvited } from '../../src/cli/verbs/device-invite.js'
import { renderJoined } from '../../src/cli/verbs/device-join.js'
import { renderQuestion, renderRemoved } from '../../src/cli/verbs/device-remove.js'
import { renderRenamed } from '../../src/cli/verbs/device-rename.js'
import { renderDevices } from '../../src/cli/verbs/devices.js'
import { renderNotices } from '../../src/cli/verbs/notices.js'
import { renderRecovered } from '../../src/cli/verbs/recover.js'
import { wordsFault } from '../../src/cli/words.js'
import { wordsFrom } from '../../src/keys/identity.js'
import { DESKTOP } from '../attach/fake-node.js'

const IDENTITY = 'ab'.repeat(32)
const LAPTOP: OwnDevice = { ...DESKTOP, name: 'laptop', device: '1a'.repeat(32), current: true }

/** A text without the widths of columns. */
const loose = (text: string): string => text.replace(/ {2,}/g, '  ')

t.test('devices are told apart: this one, online, seen, never seen', (t) => {
  const seen = new Date(2026, 2, 4, 5, 6).toISOString()
  const added = new Date(2026, 2, 1, 14, 5).toISOString()
  const text = renderDevices(
    [
      LAPTOP,
      { ...DESKTOP, online: true, seen },
      { ...DESKTOP, name: 'home\nserver', seen },
      { ...DESKTOP, name: 'phone' }
    ].map((device) => ({ ...device, added }))
  )
  t.equal(
    loose(text),
    `laptop  this one  added 2026-03-01 14:05  1a1a1a1a1a1a
desktop  online  added 2026-03-01 14:05  dededededede
home server  seen 2026-03-04 05:06  added 2026-03-01 14:05  dededededede
phone  not seen yet  added 2026-03-01 14:05  dededededede`
  )
  t.end()
})

t.test('what a device lacks, and what was refused of it, stands under it', (t) => {
  const lines = renderDevices([
    { ...LAPTOP, missing: { files: 3, bytes: 2048, reason: 'space' } },
    { ...DESKTOP, name: "Ann's desk", refused: 1 },
    { ...LAPTOP, current: false, missing: { files: 1, bytes: 1, reason: 'waiting' }, refused: 2 },
    { ...LAPTOP, refused: 1 }
  ]).split('\n')
  t.match(lines[1], /^ {2}3 files not here yet, 2\.0 KiB: this disk has no room/)
  t.match(lines[3], /^ {2}1 entry of its log was not valid, and changed nothing\./)
  t.match(lines[3], `selkie device remove 'Ann'\\''s desk'`, 'as a shell takes it')
  t.match(lines[5], /^ {2}1 file not here yet, 1 byte: they come when a device/)
  t.match(lines[6], /^ {2}2 entries of its log were not valid/)
  t.notMatch(lines[8], 'device remove', 'this one can’t remove itself')
  t.equal(lines.length, 9)
  t.end()
})

t.test('a device is meant by its name, or by enough of its key', (t) => {
  const twin = { ...DESKTOP, device: 'ef'.repeat(32) }
  const key = { ...DESKTOP, name: 'dededede' }
  t.equal(namedDevice([LAPTOP, DESKTOP], 'Desktop'), DESKTOP)
  t.equal(namedDevice([LAPTOP, DESKTOP], 'DEDEDEDE'), DESKTOP)
  t.equal(namedDevice([LAPTOP, DESKTOP], DESKTOP.device), DESKTOP)
  t.equal(namedDevice([{ ...twin, name: 'dededede' }, key], 'dededede'), key, 'a name that looks like a key')
  t.throws(() => namedDevice([LAPTOP, DESKTOP], 'dedede'), { code: 'E_DEVICE_UNKNOWN' })
  t.throws(() => namedDevice([LAPTOP, DESKTOP], ''), { code: 'E_DEVICE_UNKNOWN' })
  t.throws(() => namedDevice([DESKTOP, twin], 'desktop'), {
    code: 'E_DEVICE_WHICH',
    message: /dededededede, efefefefefef/
  })
  t.end()
})

t.test('an invite for a device says that it gives everything away', (t) => {
  const text = renderDeviceInvite({ invite: 'come-in', expires: '2026-03-01T12:00:00Z' })
  t.match(text, /^come-in\n\n[^]*`selkie device join`/)
  t.match(text, /nobody else[^]*all that you have/)
  t.match(renderInvited({ ...DESKTOP, name: 'desk\ntop' }), /^desk top is one of your devices now: dede/)
  t.end()
})

t.test('who has joined or recovered is told what came along', (t) => {
  const home = {
    name: 'Ada\nL',
    identity: IDENTITY,
    device: DESKTOP.device,
    deviceName: 'desktop',
    skills: 1
  }
  t.match(renderJoined(home), /^desktop is a device of Ada L now, with 1 skill\.\n/)
  const reached = renderRecovered({ ...home, reached: true, skills: 12 })
  t.match(reached, /^Ada L, your identity is back, on desktop\.\nidentity abab/)
  t.match(reached, '12 skills came from it')
  t.notMatch(reached, 'did not come')
  const alone = renderRecovered({ ...home, reached: false })
  t.match(alone, /None of your devices was reached[^]*did not come[^]*`?selkie invite/)
  t.notMatch(alone, 'came from it')
  t.end()
})

t.test('a removal says what it does and what it can’t undo', (t) => {
  t.match(renderQuestion({ ...DESKTOP, name: 'desk\ntop' }), /^Remove desk top \(dededededede\)[^\n]*never/)
  const text = renderRemoved(DESKTOP)
  for (const part of [
    'desktop is removed',
    'founded anew',
    'contacts get a card',
    'What desktop had, it keeps'
  ])
    t.match(text, part)
  t.equal(renderRenamed(LAPTOP), 'This device is called laptop now.')
  t.equal(renderRenamed(DESKTOP), 'That device is called desktop now.')
  t.end()
})

t.test('notices are a line each', (t) => {
  const notice = { id: '1', kind: 'slug', slug: 'plan-2', was: 'plan', hint: 'Rename it.' } as const
  t.equal(
    renderNotices([
      { ...notice, message: 'One is\n@plan-2 now.' },
      { ...notice, message: 'Two.', hint: '' }
    ]),
    'One is @plan-2 now. Rename it.\nTwo.'
  )
  t.equal(renderNotices([]), 'Nothing changed by itself.')
  t.end()
})

t.test('what is wrong with the words is said without a word of them', (t) => {
  const words = wordsFrom(new Uint8Array(32)).split(' ')
  t.equal(wordsFault(words.join(' ')), undefined)
  t.equal(wordsFault(`\n${words.join('\n').toUpperCase()} `), undefined)
  t.equal(wordsFault(''), 'There must be 24 words, and there are 0.')
  t.match(wordsFault(words.slice(1).join(' ')), 'there are 23.')
  t.match(wordsFault(words.with(2, 'secretly').with(23, 'unsaid').join(' ')), /: number 3, 24\.$/)
  t.match(wordsFault(words.toReversed().join(' ')), 'their order')
  t.end()
})
