import type { OwnDevice } from '../../api.js'
import { SelkieError } from '../../base/errors.js'
import type { DeviceKey } from '../../base/ids.js'
import type { Asked } from '../../devices/asking.js'
import type { FileQuestion, FoundFile } from '../../wire/asking.js'
import type { FileFinder } from '../files/finder.js'
import { fold } from '../files/fold.js'
import { MAX_WORDS, Query } from '../files/query.js'
import { RANKS, type Rank } from '../files/search.js'
import type { Grants } from '../grants.js'
import type { ToolRun } from '../tool-run.js'

/** What `find_file` works with. */
export interface FindFileNeeds {
  readonly grants: Grants
  readonly finder: Pick<FileFinder, 'find'>
  readonly devices: {
    /** All of the person’s, this one among them. */
    list(): Promise<readonly OwnDevice[]>
    ask(device: DeviceKey, question: FileQuestion, signal: AbortSignal): Promise<Asked>
  }
}

/** A file, and what the device is called that it is on. */
type Hit = { readonly device: string } & FoundFile

/** Files that are told unless more or less are asked for. */
const LIMIT = 20

/**
 * `find_file`: files in the granted folders of this device and of the others that are
 * online, of which each searches by its own grants. What wasn’t searched is named.
 *
 * @throws SelkieError E_FIND_QUERY, E_DEVICE_UNKNOWN, E_DEVICE_WHICH; E_NOT_GRANTED where
 *   there is no other device to ask
 */
export function findFile({ grants, finder, devices }: FindFileNeeds): ToolRun {
  return async (args, signal) => {
    const { query, device, limit = LIMIT } = args as { query: string; device?: string; limit?: number }
    const wanted = new Query(query)
    const { length } = wanted.words
    if (length === 0 || length > MAX_WORDS) throw new SelkieError('E_FIND_QUERY', { limit: MAX_WORDS })
    const all = await devices.list()
    const asked = device === undefined ? all : [namedDevice(all, device)]
    const here = asked.some(({ current }) => current)
    if (here && asked.every(({ current, online }) => current || !online)) grants.require('files')

    const question = { query: query.toWellFormed(), limit }
    const search = async (each: OwnDevice): Promise<Asked> => {
      if (each.current) return { answer: await finder.find(query, { limit, signal }) }
      if (!each.online) return { why: 'it is offline' }
      return devices.ask(each.device as DeviceKey, question, signal)
    }
    const answers = await Promise.all(
      asked.map(async (each) => ({ device: nameOf(each, all), ...(await search(each)) }))
    )

    const hits = answers.flatMap(({ device, ...asked }) =>
      'answer' in asked ? asked.answer.hits.map((hit): Hit => ({ device, ...hit })) : []
    )
    const cut = answers.some((asked) => 'answer' in asked && asked.answer.more)
    return {
      hits: bestFirst(hits, wanted).slice(0, limit),
      missing: answers.flatMap(({ device, ...asked }) => reasons(asked).map((why) => ({ device, why }))),
      more: cut || hits.length > limit
    }
  }
}

/** What a device hasn’t searched. */
function reasons(asked: Asked): readonly string[] {
  if ('why' in asked) return [asked.why]
  const { granted, problems } = asked.answer
  return granted ? problems : ['nothing granted: no folder may be searched there']
}

/** Those first that fit best, then those that were changed last. */
function bestFirst(hits: readonly Hit[], query: Query): Hit[] {
  const ranked = hits.map((hit) => ({
    hit,
    rank: RANKS.indexOf(rankOf(hit, query)),
    time: Date.parse(hit.modified)
  }))
  ranked.sort((a, b) => a.rank - b.rank || b.time - a.time)
  return ranked.map(({ hit }) => hit)
}

function rankOf({ path, matched }: Hit, query: Query): Rank {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  return matched === 'name' && query.isName(fold(name)) ? 'exact' : matched
}

/** The device that a model named: by its name in any case, or as {@link nameOf} tells it. */
function namedDevice(all: readonly OwnDevice[], typed: string): OwnDevice {
  const wanted = typed.trim().toLowerCase()
  const told = all.filter((each) => nameOf(each, all).toLowerCase() === wanted)
  const found = told.length > 0 ? told : all.filter(({ name }) => name.toLowerCase() === wanted)
  if (found.length > 1) {
    throw new SelkieError('E_DEVICE_WHICH', {
      device: typed,
      keys: found.map((each) => nameOf(each, all)).join(', ')
    })
  }
  if (!found[0]) throw new SelkieError('E_DEVICE_UNKNOWN', { device: typed })
  return found[0]
}

/** A device’s name, with digits of its key where another has the same. */
export function nameOf({ name, device }: OwnDevice, all: readonly OwnDevice[]): string {
  const isDouble = all.some(
    (other) => other.device !== device && other.name.toLowerCase() === name.toLowerCase()
  )
  return isDouble ? `${name} (${device.slice(0, 12)})` : name
}
