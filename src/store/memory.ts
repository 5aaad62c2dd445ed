import type { BundleId, IdentityKey, Uid } from '../base/ids.js'
import { decodeOwn } from '../base/msgpack.js'
import { Namespace } from '../namespace/resolve.js'
import type { AliasRow, ContactRow, InboxRow, OutboxRow, StoredSkill } from './rows.js'

/**
 * What is looked up all the time, kept in memory beside the view: the names, the
 * contacts, and the bundles on their way. It holds what the view holds and is changed
 * only by it.
 */
export class Memory {
  readonly namespace = new Namespace()
  readonly contacts = new Map<IdentityKey, ContactRow>()
  readonly outbox = new Map<BundleId, OutboxRow>()
  readonly inbox = new Map<BundleId, InboxRow>()

  /** The kinds of rows that are kept here. */
  static readonly KINDS = ['alias', 'skill', 'contact', 'outbox', 'inbox'] as const

  /** Forgets everything. */
  clear(): void {
    this.namespace.clear()
    for (const map of [this.contacts, this.outbox, this.inbox]) map.clear()
  }

  /** Takes in what the view has under a key, where it is of a kind that is kept; gives the kind. */
  take(key: string, value: Uint8Array): string {
    const [kind = '', name] = key.split('/')
    switch (kind) {
      case 'skill':
        this.namespace.put(decodeOwn(value) as StoredSkill)
        break
      case 'alias':
        this.namespace.putAlias(name as Uid, (decodeOwn(value) as AliasRow).to)
        break
      case 'contact':
        this.contacts.set(name as IdentityKey, decodeOwn(value) as ContactRow)
        break
      case 'outbox':
        this.outbox.set(name as BundleId, decodeOwn(value) as OutboxRow)
        break
      case 'inbox':
        this.inbox.set(name as BundleId, decodeOwn(value) as InboxRow)
        break
    }
    return kind
  }
}
