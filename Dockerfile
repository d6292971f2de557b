# One image for the API, management, the worker and the migrations; the command says which (docker-compose.yml).
# The Node of both stages is the one that CI tests: .ci/run reads its version here.
FROM node:26.10.0-bookworm-slim AS build
WORKDIR /app
# Without install scripts: the only ones are those of packages that are not built into the image. Optional packages are
# left out too: the toolbox of Prisma, which is no part of what runs, and faster variants of what there is anyway.
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm prune --omit=dev --omit=optional --ignore-scripts && node tools/prune-image.mjs
# The same rights whatever the umask of the checkout: with 077 the user below could not read the migrations.
RUN chmod -R u=rwX,go=rX package.json dist prisma/migrations

FROM node:26.10.0-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# The SQL files of the migrations stay with the sources, where every process looks for their names.
COPY --from=build /app/prisma/migrations ./prisma/migrations
USER node
# Node is process 1 and stops by itself on SIGTERM: no shell and no npm in between.
CMD ["node", "--no-parallel-scavenge", "--max-semi-space-size=32", "--max-old-space-size=768", "--enable-source-maps", "dist/api/main.js"]
EXPOSE 3000
