# kron, the server and its client. From the root of the repository:
#   docker build -f deploy/docker/kron-server.Dockerfile -t kron-server:0.1.0 .
# deploy/README.md has the arguments, and how to run the image.

# By digest, node@sha256:..., the image is built on the same base every time.
ARG NODE_IMAGE=node:24-slim

FROM $NODE_IMAGE AS build
WORKDIR /kron
# .dockerignore lets only the sources of the packages through.
COPY . .
RUN --mount=type=cache,target=/root/.npm npm ci && npm run tarballs

FROM $NODE_IMAGE AS install
WORKDIR /opt/kron
COPY --from=build /kron/tarballs/kron-sqlite-*.tgz /kron/tarballs/kron-server-*.tgz /tarballs/
# All that is needed is in the tarballs: nothing can come from elsewhere, and nothing is compiled.
RUN npm install --offline --ignore-scripts /tarballs/*.tgz && mkdir /empty

FROM $NODE_IMAGE
ARG VERSION=
ARG REVISION=
LABEL org.opencontainers.image.title="kron-server" \
      org.opencontainers.image.description="Calls HTTP endpoints when they are due" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.source="https://github.com/kron-io/kron" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
ENV NODE_ENV=production \
    PATH=/opt/kron/node_modules/.bin:$PATH
# Owned by root, so that the server can't change its own code.
COPY --from=install /opt/kron /opt/kron
# For the embedded database and the sealing key; with PostgreSQL it stays empty.
COPY --from=install --chown=65532:65532 /empty /data
VOLUME /data
WORKDIR /data
# Of nobody in the image; as a number, so that runAsNonRoot can be checked.
USER 65532:65532
EXPOSE 7077
STOPSIGNAL SIGTERM
# Checks that the process lives. /readyz checks that its database lives.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --start-interval=2s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:7077/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["kron"]
CMD ["serve", "--host", "0.0.0.0", "--data", "/data"]
