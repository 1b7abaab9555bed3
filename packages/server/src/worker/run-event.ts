import { type RunKey, runId } from '../domain/index.js'
import type { RunEvent } from '../store/index.js'

type RunOfTenant = RunKey & { readonly tenantId: string }

export const startedEvent = (run: RunOfTenant, at: number): RunEvent => ({
  tenantId: run.tenantId,
  type: 'run.started',
  subject: runId(run),
  status: 'running',
  at,
})

export const endedEvent = (run: RunOfTenant, status: string, at: number): RunEvent => ({
  tenantId: run.tenantId,
  type: 'run.ended',
  subject: runId(run),
  status,
  at,
})
