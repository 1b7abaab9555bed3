import { describe, it } from 'vitest'
import type { KubeApi, WatchQuery } from '../../../src/kube/kube-api.js'
import type { Resource } from '../../../src/kube/kube-object.js'
import { describeDeletion } from './deletion-conformance.js'
import { describeLists } from './list-conformance.js'
import { describeObjects } from './object-conformance.js'
import { describeUpdates } from './update-conformance.js'
import { describeWatches } from './watch-conformance.js'
import { WatchReader } from './watch-reader.js'

/**
 * An API server with the CRD of KronJobs. Others may be at work on it: nothing is expected of the
 * versions of Jobs, nor of times.
 */
export interface KubeApiUnderTest {
  readonly api: KubeApi
  /** Exists, is empty, and is used by one test alone. */
  readonly namespace: string
  /** Whether somebody collects garbage, soon. */
  readonly collectsGarbage?: boolean
  /** Forgets what was before: older versions and pages have expired then. */
  compact?(): Promise<void>
  /** Ends all watches that are open. */
  cutWatches?(): Promise<void>
  close?(): Promise<void>
}

/** What a test has to do with. */
export interface ConformanceWorld extends KubeApiUnderTest {
  /** Of the namespace, for a minute at most; closed when the test is over. */
  follow(
    resource: Resource,
    query: Pick<WatchQuery, 'resourceVersion'> & Partial<WatchQuery>,
  ): WatchReader
}

/** One test; skipped where the server under test can't be made to do what it needs. */
export type Sentence = (
  text: string,
  test: (world: ConformanceWorld) => Promise<void>,
  isPossible?: (world: KubeApiUnderTest) => boolean,
) => void

/** What every KubeApi must do, in memory or over the network. */
export function kubeApiConformance(name: string, setup: () => Promise<KubeApiUnderTest>): void {
  const sentence: Sentence = (text, test, isPossible = () => true) => {
    it(text, async (context) => {
      const underTest = await setup()
      const readers: WatchReader[] = []
      const follow: ConformanceWorld['follow'] = (resource, query) => {
        const { namespace } = underTest
        const whole = { namespace, timeoutSeconds: 60, ...query }
        const reader = new WatchReader(underTest.api, resource, whole)
        readers.push(reader)
        return reader
      }
      try {
        if (!isPossible(underTest)) context.skip('the server under test can not be made to')
        await test({ ...underTest, follow })
      } finally {
        for (const reader of readers) await reader.close()
        await underTest.close?.()
      }
    })
  }
  describe(`${name} as the API of Kubernetes`, () => {
    describeObjects(sentence)
    describeUpdates(sentence)
    describeLists(sentence)
    describeWatches(sentence)
    describeDeletion(sentence)
  })
}
