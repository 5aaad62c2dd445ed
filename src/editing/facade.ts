import type * as api from '../api.js'
import { closureOf } from '../namespace/closure.js'
import { slugOf } from '../namespace/slug.js'
import { toolByName } from '../namespace/tool.js'
import type { Self } from '../store/self.js'
import { checkStore } from './check.js'
import { listDeleted } from './deleted.js'
import { exportFolders } from './export-folders.js'
import { contentHere, liveSkill, namedVersion, shownContent } from './find.js'
import { marked, withHidden } from './hidden.js'
import { diffOf, logOf } from './history.js'
import { importFolders } from './import-folders.js'
import {
  deleteSkill,
  publishVersion,
  renameSkill,
  restoreSkill,
  setAdvertised,
  setEnabled
} from './manage.js'
import { conflictsOf, mergeSkill } from './merge.js'
import { listSkills, shownSkill } from './present.js'
import { createSkill, editSkill, restoreVersion } from './save.js'
import { skillFile } from './skill-file.js'

/** The facade of the namespace: delegates, and decides nothing. */
export function skillsFacade(self: Self): api.SkillsApi {
  const { store } = self
  const { namespace } = store
  return {
    create: (skill) => createSkill(self, skill),
    edit: (slug, change) => editSkill(self, slug, change),
    show: async (slug, version) => {
      const row = liveSkill(store, slug)
      if (version === undefined)
        return withHidden(store, shownSkill(store, row, row.head, await shownContent(store, row)))
      const { hash } = await namedVersion(store, row, version)
      return withHidden(store, shownSkill(store, row, hash, await contentHere(store, row, hash)))
    },
    list: async ({ deleted = false } = {}) =>
      deleted ? listDeleted(store) : marked(store, listSkills(store)),
    skillFile: (slug, path, version) => skillFile(self, slug, path, version),
    rename: (slug, to) => renameSkill(self, slug, to),
    delete: (slug) => deleteSkill(self, slug),
    restore: (slug, version, { uid } = {}) =>
      version === undefined ? restoreSkill(self, slug, uid) : restoreVersion(self, slug, version),
    log: (slug) => logOf(self, slug),
    publish: (slug, version) => publishVersion(self, slug, version),
    diff: (slug, from, to) => diffOf(self, slug, from, to),
    conflicts: () => conflictsOf(self),
    merge: (slug, options) => mergeSkill(self, slug, options),
    resolve: async (typed) => {
      const slug = slugOf(typed)
      const resolved = namespace.resolve(slug)
      if (!resolved) return { kind: 'nothing', slug, near: namespace.near(slug) }
      if (resolved.kind === 'tool') {
        const { name, summary, advertised } = resolved.tool
        return { kind: 'tool', slug, name, summary, advertised }
      }
      const { uid, title, summary, enabled, advertised } = resolved.skill
      return { kind: 'skill', slug, uid, title, summary, enabled, advertised }
    },
    closure: async (typed) => {
      const row = liveSkill(store, typed)
      const { skills, tools } = closureOf(namespace, row)
      return {
        slug: row.slug,
        skills: skills.map(({ slug, uid, title, enabled }) => ({ slug, uid, title, enabled })),
        tools: tools.map((name) => toolByName(name)!.slug)
      }
    },
    toolsForPlan: async (slugs) => namespace.toolsForPlan(slugs.map(slugOf)),
    setEnabled: async (slug, enabled) => withHidden(store, await setEnabled(self, slug, enabled)),
    setAdvertised: async (slug, advertised) => withHidden(store, await setAdvertised(self, slug, advertised)),
    importFolders: (paths, onProgress) => importFolders(self, paths, onProgress),
    exportFolders: (slugs, to, options) => exportFolders(self, slugs, to, options),
    check: (onProgress) => checkStore(self, onProgress)
  }
}
