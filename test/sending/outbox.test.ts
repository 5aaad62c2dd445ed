import t from 'tap'
import type { BundleId, IdentityKey } from '../../src/base/ids.js'
import { listOutbox, noteReceipt } from '../../src/sending/outbox.js'
import { Mailbox } from '../../src/wire/mailbox.js'
import type { Receipt } from '../../src/wire/message.js'
import { make, people } from '../receiving/people.js'

t.test(
  'at each start every old receipt became an op again, and took the delivery back for a moment',
  async (t) => {
    const [ana, ben] = await people(t, 'Ana', 'Ben')
    await make(ana.node, 'Plan', 'One.')
    const { id } = await ana.node.send('plan', 'Ben', {})
    const identity = (await ben.node.status()).identity as IdentityKey
    await ana.under(async (self) => {
      const mailbox = await Mailbox.open(self.logs, identity, () => {})
      const states: string[] = []
      self.store.on('change', () =>
        states.push(`${listOutbox(self)[0]!.state} ${listOutbox(self)[0]!.problem?.code}`)
      )
      const read = async (): Promise<void> => {
        for (const [state, problem] of [
          ['held', 'E_QUOTA'],
          ['held', 'E_OTHER'],
          ['received', null],
          ['imported', null],
          ['declined', null]
        ] as [Receipt['state'], string | null][]) {
          await noteReceipt(self, identity, { type: 'receipt', id: id as BundleId, state, problem }, mailbox)
        }
      }
      await read()
      t.same(states, ['queued E_QUOTA', 'received undefined', 'imported undefined'])
      await read()
      t.equal(states.length, 3, 'what is known already is no news')
    })
  }
)
