# The Node that .ci/machine pins; `.ci/image/pin` writes the digests of all base images.
ARG NODE=node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

# What the service runs on: no tools, no embedded Postgres, and of each package what runs and its licence.
# test/container runs this very command, and the service on what it leaves.
FROM ${NODE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --no-audit \
  && find node_modules \( -type d \( -name test -o -name tests -o -name 'benchmark*' -o -name 'example*' -o -name .github \) \
    -o -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.[cm]ts' -o -name '*.md' ! -iname 'licen*' \) \) \
    -prune -exec rm -r {} +

FROM ${NODE}
ENV NODE_ENV=production
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json ./
COPY migrations ./migrations
COPY views ./views
COPY src ./src
# What --version and doctor say beside the number: docker build --build-arg COMMIT="$(git rev-parse HEAD)" .
ARG COMMIT=
RUN [ -z "$COMMIT" ] || echo "$COMMIT" > .commit
# It writes nothing here: all that is to last is in Postgres. A number, so that Kubernetes sees it is not root.
# Only what Node compiles is kept, once, at a start that is refused: every later start reads it.
ENV NODE_COMPILE_CACHE=/app/.cache
RUN install -d -o 1000 .cache
USER 1000
RUN DATABASE_URL=none node src/main.ts 2>&1 | grep DATABASE_URL
# A container is reached from outside of it alone.
ENV HOST=::
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://localhost:' + (process.env.PORT || 3000) + '/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/main.ts"]
