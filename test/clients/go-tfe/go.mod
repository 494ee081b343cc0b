// Names what is installed, and with go.sum its content: the tests run in a copy of this module, under its own go.sum.
module lockkeeper.example/clients/go-tfe

go 1.25.0

require github.com/hashicorp/go-tfe v1.109.0
