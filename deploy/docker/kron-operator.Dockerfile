# kron-operator and kronctl. From the root of the repository:
#   docker build -f deploy/docker/kron-operator.Dockerfile -t kron-operator:0.1.0 .
# deploy/README.md has the arguments.

# By digest, node@sha256:..., the image is built on the same base every time.
ARG NODE_IMAGE=node:24-slim

FROM $NODE_IMAGE AS build
WORKDIR /kron
# .dockerignore lets only the sources of the packages through.
COPY . .
RUN --mount=type=cache,target=/root/.npm npm ci && npm run tarballs

FROM $NODE_IMAGE AS install
WORKDIR /opt/kron
COPY --from=build /kron/tarballs/kron-operator-*.tgz /tarballs/
# All that is needed is in the tarball: nothing can come from elsewhere, and nothing is compiled.
RUN npm install --offline --ignore-scripts /tarballs/*.tgz

FROM $NODE_IMAGE
ARG VERSION=
ARG REVISION=
LABEL org.opencontainers.image.title="kron-operator" \
      org.opencontainers.image.description="The Kubernetes controller of KronJobs" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.source="https://github.com/kron-io/kron" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
ENV NODE_ENV=production \
    PATH=/opt/kron/node_modules/.bin:$PATH
# Owned by root, so that the controller can't change its own code.
COPY --from=install /opt/kron /opt/kron
WORKDIR /opt/kron
# Of nobody in the image; as a number, so that runAsNonRoot can be checked.
USER 65532:65532
EXPOSE 8080
STOPSIGNAL SIGTERM
# For engines that look at it; Kubernetes has probes of its own.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --start-interval=2s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["kron-operator"]
CMD ["start", "--listen", "0.0.0.0:8080", "--format", "json"]
