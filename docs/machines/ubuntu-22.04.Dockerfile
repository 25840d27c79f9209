# Ubuntu 22.04 with what the course needs; its own cmake is too old.
#   docker build -f docs/machines/ubuntu-22.04.Dockerfile -t scanlab .
FROM ubuntu:22.04
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates git python3-pip && rm -rf /var/lib/apt/lists/* \
 && pip install cmake==3.25.2
WORKDIR /scanlab
COPY . .
RUN ./scanlab setup
CMD ["./scanlab", "grade", "solutions"]
