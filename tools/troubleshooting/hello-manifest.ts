/** A KronJob without mistakes; each mistake changes one line of it. */
export const helloManifest = `apiVersion: kron.io/v1alpha1
kind: KronJob
metadata:
  name: hello
spec:
  schedule: "0 3 * * *"
  timezone: Europe/Paris
  window:
    duration: 2h
  policy:
    deadline: 1h
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers:
            - name: hello
              image: busybox:1.36
              command: [echo, hello from kron]
`

export function changedManifest(from: string, to: string): string {
  if (!helloManifest.includes(from)) throw new Error(`the manifest has no ${from}`)
  return helloManifest.replace(from, to)
}
