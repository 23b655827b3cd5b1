# The server and the command line in one image. Build: docker build -t plumbline .
FROM node:22-bookworm AS build
WORKDIR /src
COPY . .
RUN npm run build \
  && node scripts/image-tree.mjs /app \
  && mkdir /data

# Distroless: no shell, no package manager. 65532 is its `nonroot`.
FROM gcr.io/distroless/nodejs22-debian12:nonroot
WORKDIR /app
COPY --from=build --chown=65532:65532 /data /data
COPY --from=build /app ./
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
USER 65532:65532
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["/nodejs/bin/node", "-e", "fetch('http://127.0.0.1:3000/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["packages/server/dist/main.js"]
