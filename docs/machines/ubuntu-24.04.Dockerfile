# Ubuntu 24.04 with what the course needs: docker build -f docs/machines/ubuntu-24.04.Dockerfile -t scanlab .
FROM ubuntu:24.04
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates git && rm -rf /var/lib/apt/lists/*
WORKDIR /scanlab
COPY . .
RUN ./scanlab setup
CMD ["./scanlab", "grade", "solutions"]
