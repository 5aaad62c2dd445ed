import type { BundleId, DeviceKey, IdentityKey, Uid } from '../base/ids.js'
import { decodeOwn } from '../base/msgpack.js'
import { Namespace } from '../namespace/resolve.js'
import type {
  AliasRow,
  ContactRow,
  DeviceRow,
  InboxRow,
  NoticeRow,
  OutboxRow,
  ProfileRow,
  SettingName,
  SettingRow,
  StoredSkill
} from './rows.js'

/**
 * What is looked up all the time, kept in memory beside the view: the names, the
 * contacts and devices, the bundles on their way, and what the agent is set to. It holds
 * what the view holds and is changed only by it.
 */
export class Memory {
  readonly namespace = new Namespace()
  readonly contacts = new Map<IdentityKey, ContactRow>()
  readonly outbox = new Map<BundleId, OutboxRow>()
  readonly inbox = new Map<BundleId, InboxRow>()
  readonly devices = new Map<DeviceKey, DeviceRow>()
  readonly settings = new Map<SettingName, SettingRow>()
  readonly profiles = new Map<string, ProfileRow>()
  /** By kind and what it is about. */
  readonly notices = new Map<string, NoticeRow>()

  /** The kinds of rows that are kept here, and the one that others wait for. */
  static readonly KINDS = [
    'alias',
    'skill',
    'contact',
    'outbox',
    'inbox',
    'device',
    'notice',
    'setting',
    'profile',
    'owner'
  ] as const

  /** Whether rows of a kind are kept here. */
  static keeps(kind: string): boolean {
    return (Memory.KINDS as readonly string[]).includes(kind)
  }

  /** Forgets everything. */
  clear(): void {
    this.namespace.clear()
    const { contacts, outbox, inbox, devices, settings, profiles, notices } = this
    for (const map of [contacts, outbox, inbox, devices, settings, profiles, notices]) map.clear()
  }

  /** Takes in what the view has under a key, where it is of a kind that is kept; gives the kind. */
  take(key: string, value: Uint8Array): string {
    const [kind = '', name, second] = key.split('/')
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
      case 'device':
        this.devices.set(name as DeviceKey, decodeOwn(value) as DeviceRow)
        break
      case 'notice':
        this.notices.set(`${name}/${second}`, decodeOwn(value) as NoticeRow)
        break
      case 'setting':
        this.settings.set(key.slice('setting/'.length) as SettingName, decodeOwn(value) as SettingRow)
        break
      case 'profile':
        this.profiles.set(name!, decodeOwn(value) as ProfileRow)
        break
    }
    return kind
  }
}
