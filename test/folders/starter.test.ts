import { resolve } from 'node:path'
import t from 'tap'
import type { Slug, Uid, VersionHash } from '../../src/base/ids.js'
import { linkFolders } from '../../src/folders/link.js'
import { readFolders } from '../../src/folders/read.js'
import { refsOf } from '../../src/namespace/linked.js'
import { Namespace } from '../../src/namespace/resolve.js'

const uidOf = ({ slug }: { slug: Slug }): Uid =>
  Buffer.from(slug.padEnd(16)).toString('hex').slice(0, 32) as Uid

t.test('the built-in skills bind the tools that they name', async (t) => {
  const namespace = new Namespace()
  const { skills, diagnostics } = await readFolders([resolve('bundles/starter')])
  t.same(diagnostics, [])
  const linked = linkFolders(skills, { uidOf, refOf: (slug) => namespace.refOf(slug) })
  t.same(linked.diagnostics, [])
  skills.forEach((skill, i) => {
    const { slug, title, summary } = skill
    const head = `${i}` as VersionHash
    const flags = { enabled: true, advertised: slug !== 'fetch-file', exec: false, deleted: false }
    namespace.put({
      uid: uidOf(skill),
      slug,
      title,
      summary,
      ...flags,
      head,
      heads: [head],
      refs: refsOf(linked.bodies[i]!)
    })
  })
  t.same(
    skills.map(({ title }) => title),
    ['Check Schedule', 'Fetch File', 'Search Info']
  )
  const tools = (slug: string) => namespace.toolsForPlan([slug as Slug])
  t.same(tools('search-info'), ['check_notebook', 'list_devices', 'find_file', 'grep_memory'])
  t.same(tools('check-schedule'), ['current_date', 'query_calendar'])
  t.same(tools('fetch-file'), ['list_devices', 'find_file'])
})
