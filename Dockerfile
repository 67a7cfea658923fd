# Redpack as one container: the first stage builds it, the second runs it without build or test
# tools. docs/operating.md, "In a container", says how to use it.

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.base.json ./
COPY contract/package.json contract/
COPY fair/package.json fair/
COPY sandbox/package.json sandbox/
COPY server/package.json server/
COPY web/package.json web/
RUN npm ci --ignore-scripts
COPY contract contract/
COPY fair fair/
COPY sandbox sandbox/
COPY server server/
COPY web web/
COPY tools tools/
RUN npm run build
RUN npm ci --omit=dev --workspace=server --ignore-scripts && npm cache clean --force

FROM node:24-bookworm-slim
ENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/contract/package.json contract/
COPY --from=build /app/fair/package.json fair/
COPY --from=build /app/sandbox/package.json sandbox/
COPY --from=build /app/node_modules node_modules/
COPY --from=build /app/server/package.json server/
COPY --from=build /app/server/dist server/dist/
COPY --from=build /app/server/migrations server/migrations/
COPY --from=build /app/server/assets server/assets/
COPY --from=build /app/web/dist web/dist/
COPY deploy/health-check.mjs LICENSE ./
# The image's own unprivileged user; all other files belong to root and are read-only for it.
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
# Asks whether the process is alive. The proxy asks /health/ready whether it takes calls.
HEALTHCHECK --interval=10s --timeout=5s --start-period=90s --retries=3 \
  CMD ["node", "health-check.mjs"]
# Node is the first process of the container and handles SIGTERM itself; it starts no children that
# an init would have to reap.
CMD ["node", "--enable-source-maps", "server/dist/main.js"]
