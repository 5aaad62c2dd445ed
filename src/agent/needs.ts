import type { Self } from '../store/self.js'
import type { Grants } from './grants.js'
import type { ToolHooks } from './hooks.js'
import type { Model } from './model.js'
import type { ToolRun } from './tool-run.js'
import type { Transcripts } from './transcript.js'

/** What the agent works with. */
export interface AgentNeeds {
  readonly self: Self
  readonly grants: Grants
  readonly transcripts: Transcripts
  /** The six tools, by name. */
  readonly tools: Readonly<Record<string, ToolRun>>
  /** The model that is set on this device; rejects with E_MODEL_NONE. */
  readonly model: () => Promise<Model>
  readonly hooks: ToolHooks
  /** Told of what fails and says nothing to the model or the person. */
  readonly failed: (error: unknown) => void
}
