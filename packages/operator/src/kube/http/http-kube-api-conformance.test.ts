import { afterAll, describe } from 'vitest'
import { type ControlPlane, startControlPlane } from '../../../../../tools/kube/index.ts'
import type { PlaneAccess } from '../../../../../tools/kube/plane-access.ts'
import { controlPlaneAbsent, sharedControlPlane } from '../../../../../tools/kube/shared.ts'
import { Forwarder } from '../../../testing/http/forwarder.js'
import {
  type KubeApiUnderTest,
  kubeApiConformance,
} from '../../../testing/kube-api/conformance/kube-api-conformance.js'
import { kronJobCrd } from '../../kronjob/crd.js'
import type { KubeApi } from '../kube-api.js'
import { HttpKubeApi } from './http-kube-api.js'

/** Watches go through a forwarder, which can cut them without a harm to requests. */
async function underTest(plane: PlaneAccess): Promise<KubeApiUnderTest> {
  const { ca, tokens, server } = plane.address
  const forwarder = await Forwarder.to(Number(new URL(server).port))
  const access = { headers: { authorization: `Bearer ${tokens['admin']}` }, tls: { ca } }
  const clientOf = (address: string): HttpKubeApi =>
    new HttpKubeApi({
      server: address,
      proxyUrl: null,
      read: async () => access,
      forget: () => {},
    })
  const direct = clientOf(server)
  const forwarded = clientOf(`https://127.0.0.1:${forwarder.port}`)
  const api: KubeApi = {
    list: direct.list.bind(direct),
    watch: forwarded.watch.bind(forwarded),
    get: direct.get.bind(direct),
    create: direct.create.bind(direct),
    tryCreate: direct.tryCreate.bind(direct),
    replace: direct.replace.bind(direct),
    patch: direct.patch.bind(direct),
    delete: direct.delete.bind(direct),
  }
  return {
    api,
    namespace: await plane.createNamespace('conformance'),
    collectsGarbage: plane.address.hasControllerManager,
    cutWatches: async () => forwarder.cut(),
    async close() {
      await Promise.all([direct.close(), forwarded.close()])
      forwarder.close()
    },
  }
}

describe.skipIf(controlPlaneAbsent())('over HTTP', () => {
  kubeApiConformance('a real API server', async () => underTest(await sharedControlPlane()))

  describe('without a watch cache', () => {
    let starting: Promise<ControlPlane> | undefined
    afterAll(async () => (await starting)?.stop())

    kubeApiConformance('a real API server whose etcd forgets', async () => {
      starting ??= startControlPlane({ watchCache: false, crds: [kronJobCrd] })
      const plane = await starting
      return { ...(await underTest(plane)), compact: () => plane.compactEtcd() }
    })
  })
})
