# syntax=docker/dockerfile:1
# kron-operator and kronctl. From the root of the repository:
#   docker build -f deploy/docker/kron-operator.Dockerfile -t kron-operator:0.1.0 .

FROM node:24-slim AS build
WORKDIR /kron
COPY package.json package-lock.json .npmrc tsconfig.base.json LICENSE ./
# The lock file knows of every package of the workspace; .dockerignore leaves out their code.
COPY bench/package.json bench/
COPY packages packages
RUN npm ci && npx tsc -b packages/operator
# Once more, without what was needed to compile and what the controller does not load.
RUN npm ci --omit=dev --omit=optional --workspace=@kron/operator
RUN mkdir /image && cp -r node_modules LICENSE /image/ && \
    for name in core runtime preview operator; do \
      mkdir -p /image/packages/$name && \
      cp -r packages/$name/package.json packages/$name/dist /image/packages/$name/; \
    done && \
    cp -r packages/operator/bin /image/packages/operator/

FROM node:24-slim
LABEL org.opencontainers.image.title="kron-operator" \
      org.opencontainers.image.description="The Kubernetes controller of KronJobs" \
      org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production \
    PATH=/kron/node_modules/.bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
WORKDIR /kron
# Owned by root, so that the controller can't change its own code.
COPY --from=build /image /kron
# Of nobody in the image; as a number, so that runAsNonRoot can be checked.
USER 65532:65532
EXPOSE 8080
ENTRYPOINT ["kron-operator"]
CMD ["start", "--listen", "0.0.0.0:8080", "--format", "json"]
