import { beforeAll, describe, expect, it } from 'vitest'
import { jobSpecText, type OpenApiDocument } from '../../../tools/job-schema/job-spec-text.ts'
import type { PlaneAccess } from '../../../tools/kube/index.ts'
import { controlPlaneAbsent, sharedControlPlane } from '../../../tools/kube/shared.ts'
import * as generated from '../src/kronjob/job-spec/generated/job-spec.js'
import { flawedPods, soundPods } from './job-spec-samples.js'

describe.skipIf(controlPlaneAbsent())('a JobSpec on a server', () => {
  let plane: PlaneAccess

  beforeAll(async () => {
    plane = await sharedControlPlane()
  })

  async function tried(spec: object): Promise<{ readonly status: number; readonly body: string }> {
    const path = '/apis/batch/v1/namespaces/default/jobs?dryRun=All&fieldValidation=Strict'
    const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'a' }, spec }
    return plane.client.send('POST', path, job)
  }

  it('is what the generated file says, which is of the version that we test with', async () => {
    const document = await plane.client.demand<OpenApiDocument>('GET', '/openapi/v3/apis/batch/v1')
    const { major, minor } = await plane.client.demand<Record<string, string>>('GET', '/version')
    expect(`${major}.${minor}`).toBe(generated.kubernetesVersion)
    expect(jobSpecText(document)).toBe(generated.jobSpecText)
  })

  it.each(flawedPods)('is refused: %s', async (_, spec) => {
    const { status } = await tried(spec)
    expect([400, 422]).toContain(status)
  })

  it.each(soundPods)('is taken: %s', async (_, spec) => {
    const { status, body } = await tried(spec)
    expect(body).not.toContain('"status":"Failure"')
    expect(status).toBe(201)
  })
})
