# Limber in a container: the Debian package is built in one stage and installed in the next, which has no compiler.
#
#   docker build -t limber .
#   docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/work" limber simulate puma_pick_and_place
FROM debian:12 AS build
COPY . /limber
RUN /limber/scripts/package.sh

FROM debian:12-slim
COPY --from=build /limber/build/package/limber_*.deb /tmp/
RUN apt-get update \
  && apt-get install -y --no-install-recommends /tmp/limber_*.deb \
  && rm -rf /var/lib/apt/lists/* /tmp/limber_*.deb
WORKDIR /work
ENTRYPOINT ["limber"]
CMD ["--help"]
