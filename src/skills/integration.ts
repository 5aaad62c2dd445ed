import { SelkieError } from '../base/errors.js'
import { renderCatalog, type Catalog } from './catalog.js'
import { createFolderSource, type FolderSourceOptions } from './folder.js'
import { createInMemorySource, type InMemorySourceOptions } from './memory.js'
import { invokeSkill, type Invocation, type InvokedSkill } from './invoke.js'
import { loadSkill } from './load.js'
import { modelTools, type SkillTools } from './model-tools.js'
import type { LoadedSkill, SkillIdentity, SkillRefusal } from './results.js'
import { Session, type Refreshed } from './session.js'
import type { SkillListing, SkillSource, SourceOptions } from './source.js'
import { isSkillToolName, toolNames, type SkillToolName } from './tool-names.js'

export interface SkillsOptions {
  /** Characters of the whole text of {@link Skills.renderInstructions}: 8,000 unless given. */
  readonly catalogBudget?: number
  /** Characters of a page, at least 1,000: 20,000 unless given. */
  readonly pageSize?: number
}

/**
 * The skills of one conversation. The source is asked once which skills there are; from
 * then on a skill comes in the version that was there then, or that was loaded before,
 * until `refresh` has told what changed. Methods reject only where the source does, or
 * where the signal aborts.
 */
export interface Skills {
  /** For the agent loop’s own tools, under their names. */
  readonly tools: SkillTools
  readonly toolNames: readonly SkillToolName[]
  isSkillToolName(name: string): name is SkillToolName
  /** The catalog for the system prompt, empty where there is nothing to offer, and what was cut. */
  renderInstructions(options?: SourceOptions): Promise<Catalog>
  /** All skills, hidden ones too, and what was odd: for the person, never for the model. */
  list(options?: SourceOptions): Promise<SkillListing>
  /** What the person invokes, hidden or not: see `parseInvocation`. */
  invoke(invocation: Invocation, options?: SourceOptions): Promise<InvokedSkill | SkillRefusal>
  /** Which skills the model has been given, in the order of their first loading: plain JSON to keep. */
  loaded(): readonly SkillIdentity[]
  /**
   * After a compaction, or in a new process: loads the very same versions again, the first
   * page of each. One that is gone is refused, and stays so until `refresh`.
   */
  restore(
    records: readonly SkillIdentity[],
    options?: SourceOptions
  ): Promise<readonly { record: SkillIdentity; result: LoadedSkill | SkillRefusal }[]>
  /** Asks the source again, and tells what changed since; from now on the newer versions are loaded. */
  refresh(options?: SourceOptions): Promise<Refreshed>
}

const CATALOG_BUDGET = 8000
const PAGE_SIZE = 20_000

/**
 * Skills over any source.
 *
 * @throws SelkieError E_SKILLS_OPTION where an option isn’t a size
 */
export function createSkills(source: SkillSource, options: SkillsOptions = {}): Skills {
  const budget = sizeOf(options, 'catalogBudget', CATALOG_BUDGET, 0)
  const pageSize = sizeOf(options, 'pageSize', PAGE_SIZE, 1000)
  const session = new Session(source)
  const tools = modelTools(session, pageSize)
  return {
    tools,
    toolNames,
    isSkillToolName,
    renderInstructions: async (options) => renderCatalog(await session.listing(options), budget),
    list: (options) => session.listing(options),
    invoke: (invocation, options) => invokeSkill(session, { ...invocation, pageSize }, options),
    loaded: () => session.loaded(),
    refresh: (options) => session.refresh(options),
    async restore(records, options) {
      const restored: { record: SkillIdentity; result: LoadedSkill | SkillRefusal }[] = []
      for (const record of records) {
        session.restore(record)
        const wanted = { name: record.name, page: 1, by: 'person', pageSize } as const
        restored.push({ record, result: await loadSkill(session, wanted, options) })
      }
      return restored
    }
  }
}

/**
 * Skills that a program brings along.
 *
 * @throws SelkieError as {@link createInMemorySource} and {@link createSkills}
 */
export function createInMemorySkills(options: InMemorySourceOptions & SkillsOptions): Skills {
  return createSkills(createInMemorySource(options), options)
}

/**
 * Skills of SKILL.md folders.
 *
 * @throws SelkieError E_SKILLS_OPTION
 */
export function createFolderSkills(options: FolderSourceOptions & SkillsOptions): Skills {
  return createSkills(createFolderSource(options), options)
}

function sizeOf(options: SkillsOptions, option: keyof SkillsOptions, usual: number, least: number): number {
  const value = options[option] ?? usual
  if (!Number.isSafeInteger(value) || value < least)
    throw new SelkieError('E_SKILLS_OPTION', { option, value: String(value), least })
  return value
}
