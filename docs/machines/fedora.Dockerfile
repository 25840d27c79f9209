# Fedora with what the course needs: docker build -f docs/machines/fedora.Dockerfile -t scanlab .
FROM fedora:44
RUN dnf install -qy git && dnf clean all
WORKDIR /scanlab
COPY . .
RUN ./scanlab setup
CMD ["./scanlab", "grade", "solutions"]
