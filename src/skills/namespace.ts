import type { Listed, NodeApi, Shown } from '../api.js'
import { isSelkieError, type ErrorCode } from '../base/errors.js'
import { mentions } from '../namespace/mention.js'
import { reachedByModels } from '../namespace/reached-by-models.js'
import type {
  SkillListing,
  SkillPackage,
  SkillSource,
  SkillSummary,
  SourceOptions,
  Version
} from './source.js'

/** What the namespace needs of a node, in this process or behind its socket. */
export type NamespaceNode = Pick<
  NodeApi,
  'status' | 'list' | 'show' | 'log' | 'skillFile' | 'toolsForPlan' | 'watch'
>

/**
 * The skills of a node’s namespace: those that are enabled, under their slugs of now. One
 * that isn’t advertised is out of the catalog. The model may load it all the same where an
 * advertised skill mentions it, itself or through others: else the mention would lead
 * nowhere. Where none does, it is closed to the model, and open to the person. So is one
 * that says itself that it isn’t for models, advertised or mentioned or neither, as in a folder.
 */
export async function createNamespaceSource(node: NamespaceNode): Promise<SkillSource> {
  const { identity } = await node.status()
  return new NamespaceSource(node, `namespace:${identity}`)
}

/** What a node answers where it hasn’t got something. */
const ABSENT: readonly ErrorCode[] = [
  'E_SLUG_FORM',
  'E_SLUG_UNKNOWN',
  'E_SLUG_TOOL',
  'E_VERSION_UNKNOWN',
  'E_VERSION_AWAY',
  'E_SKILL_FILE'
]

class NamespaceSource implements SkillSource {
  readonly id: string
  readonly #node: NamespaceNode
  /** The skills of the versions that were loaded, so that these are found under a new slug too. */
  readonly #uids = new Map<string, string>()

  constructor(node: NamespaceNode, id: string) {
    this.#node = node
    this.id = id
  }

  async list({ signal }: SourceOptions = {}): Promise<SkillListing> {
    const listed = await this.#node.list()
    signal?.throwIfAborted()
    const enabled = listed.filter((skill) => skill.enabled)
    return {
      skills: enabled.map((skill) => this.#summary(skill, !isOffered(skill))),
      problems: []
    }
  }

  async load(
    name: string,
    version: Version = 'latest',
    { signal }: SourceOptions = {}
  ): Promise<SkillPackage | undefined> {
    const wanted = version === 'published' ? await this.#published(name) : hashOf(version)
    if (wanted === null) return undefined
    const skill = await this.#find(name, wanted, (slug) => this.#node.show(slug, wanted))
    signal?.throwIfAborted()
    if (!skill?.enabled) return undefined
    const hidden = skill.hidden || !(skill.advertised || (await this.#isMentioned(skill)))
    // An earlier version may mention others than the shown one does.
    const tools = await this.#node.toolsForPlan(mentions(skill.body))
    signal?.throwIfAborted()
    this.#uids.set(skill.version, skill.uid)
    return {
      ...this.#summary(skill, hidden),
      body: skill.body,
      folder: null,
      references: skill.files.map(({ path, size }) => ({ path, size })),
      tools
    }
  }

  async read(
    { name, version }: SkillPackage,
    path: string,
    { signal }: SourceOptions = {}
  ): Promise<Uint8Array | undefined> {
    const file = await this.#find(name, version, (slug) => this.#node.skillFile(slug, path, version))
    signal?.throwIfAborted()
    return file && Buffer.from(file.bytes, 'base64')
  }

  watch(onChange: () => void, { signal }: { readonly signal: AbortSignal }): void {
    const told = ({ kinds }: { kinds: string[] }): void => {
      if (kinds.some((kind) => kind === 'skill' || kind === 'alias')) onChange()
    }
    // A node that goes away has changed too: whoever asks next is told so.
    const ended = (): void => {
      if (!signal.aborted) onChange()
    }
    this.#node.watch(told, signal).then(ended, ended)
  }

  #summary({ slug, summary, version }: Listed, hidden: boolean): SkillSummary {
    // A version’s hash covers all that the skill says, and none of the names in it.
    return {
      name: slug,
      description: summary,
      source: this.id,
      version,
      hash: version,
      hidden
    }
  }

  /** Null where nothing of that name is published. */
  async #published(name: string): Promise<string | null> {
    const log = await present(this.#node.log(name))
    return log?.find(({ published }) => published)?.version ?? null
  }

  /** Asks by the slug, and for a version that was loaded before, by the slug that its skill has now. */
  async #find<T>(
    name: string,
    version: string | undefined,
    ask: (slug: string) => Promise<T>
  ): Promise<T | undefined> {
    const found = await present(ask(name))
    const uid = version === undefined ? undefined : this.#uids.get(version)
    if (found !== undefined || uid === undefined) return found
    const renamed = (await this.#node.list()).find((skill) => skill.uid === uid)
    return renamed && renamed.slug !== name ? present(ask(renamed.slug)) : undefined
  }

  /** Whether an advertised skill mentions this one, itself or through others. */
  async #isMentioned({ slug }: Shown): Promise<boolean> {
    const reached = await reachedByModels(await this.#node.list(), ({ hidden }) => !hidden)
    return reached.has(slug)
  }
}

/** Whether an enabled skill is in the catalog. */
function isOffered({ advertised, hidden }: Listed): boolean {
  return advertised && !hidden
}

function hashOf(version: Exclude<Version, 'published'>): string | undefined {
  return version === 'latest' ? undefined : version.version
}

/** What a node answers; undefined where it hasn’t got that. */
async function present<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error: unknown) => {
    if (ABSENT.some((code) => isSelkieError(error, code))) return undefined
    throw error
  })
}
