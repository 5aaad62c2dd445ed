import { contactRows, forgetContact, renewCard, setVerified, takeCard } from '../../src/people/contacts.js'
import type { Acts } from './acts.js'
import { cardOf, people } from './cast.js'
import { picked, type PeopleStep } from './story.js'

export const peopleActs: Acts<PeopleStep> = {
  async card({ self }, step) {
    const { person, card, number } = cardIn(step)
    await takeCard(self, card)
    return [{ kind: 'added', identity: person.identity, number }]
  },

  async renew({ self }, step) {
    const { person, card, number } = cardIn(step)
    await renewCard(self, person.identity, card)
    return [{ kind: 'renewed', identity: person.identity, number }]
  },

  async verify({ self }, { person, value }) {
    const contact = picked(contactRows(self.store), person)
    if (!contact) return []
    await setVerified(self, contact.identity, value)
    return [{ kind: 'verified', identity: contact.identity, value }]
  },

  async forget({ self }, { person }) {
    const contact = picked(contactRows(self.store), person)
    if (!contact) return []
    await forgetContact(self, contact.identity)
    return [{ kind: 'forgot', identity: contact.identity }]
  }
}

function cardIn(step: Extract<PeopleStep, { does: 'card' | 'renew' }>) {
  const person = picked(people, step.person)!
  const number = step.number + 1
  return { person, number, card: cardOf(person, number) }
}
