export { createBoundSource } from './bound.js'
export {
  checkCall,
  createProfile,
  type CallPolicy,
  type CallVerdict,
  type Profile,
  type SkillCall
} from './binding.js'
export type { Catalog, CatalogReport } from './catalog.js'
export { createCompositeSource } from './composite.js'
export { createFolderSource, type FolderSourceOptions } from './folder.js'
export {
  createFolderSkills,
  createInMemorySkills,
  createSkills,
  type Skills,
  type SkillsOptions
} from './integration.js'
export { parseInvocation, type Invocation, type InvokedSkill } from './invoke.js'
export { createInMemorySource, type InMemorySkill, type InMemorySourceOptions } from './memory.js'
export type { SkillTool, SkillToolSchema, SkillTools } from './model-tools.js'
export { createNamespaceSource, type NamespaceNode } from './namespace.js'
export type {
  LoadedSkill,
  ReadReference,
  RefusalCode,
  SkillIdentity,
  SkillRefusal,
  TextPage
} from './results.js'
export type { Refreshed } from './session.js'
export type {
  SkillCollision,
  SkillListing,
  SkillPackage,
  SkillPlace,
  SkillProblem,
  SkillReference,
  SkillSource,
  SkillSummary,
  SourceOptions,
  Version
} from './source.js'
export { isSkillToolName, toolNames, type SkillToolName } from './tool-names.js'
