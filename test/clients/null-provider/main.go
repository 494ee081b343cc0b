// Takes the place of hashicorp/null, which cannot be fetched as a Go module: resources that are nothing but their id.
package main

import (
	"context"
	"crypto/rand"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

func main() {
	// The name is for debuggers alone: an engine goes by the folder in which it finds the program.
	const address = "registry.opentofu.org/hashicorp/null"
	err := providerserver.Serve(context.Background(), func() provider.Provider { return nullProvider{} },
		providerserver.ServeOpts{Address: address})
	if err != nil {
		log.Fatal(err)
	}
}

type nullProvider struct{}

func (nullProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "null"
}
func (nullProvider) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse)          {}
func (nullProvider) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {}
func (nullProvider) DataSources(context.Context) []func() datasource.DataSource                        { return nil }
func (nullProvider) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{func() resource.Resource { return nullResource{} }}
}

type nullResource struct{}

// What a resource is made of.
type model struct {
	ID       types.String `tfsdk:"id"`
	Triggers types.Map    `tfsdk:"triggers"`
}

func (nullResource) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = "null_resource"
}

func (nullResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{Attributes: map[string]schema.Attribute{
		"id": schema.StringAttribute{
			Computed:      true,
			PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
		},
		"triggers": schema.MapAttribute{
			Optional:      true,
			ElementType:   types.StringType,
			PlanModifiers: []planmodifier.Map{mapplanmodifier.RequiresReplace()},
		},
	}}
}

func (nullResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var planned model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &planned)...)
	planned.ID = types.StringValue(rand.Text())
	resp.Diagnostics.Append(resp.State.Set(ctx, &planned)...)
}

func (nullResource) Update(_ context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	resp.State.Raw = req.Plan.Raw
}

func (nullResource) Read(context.Context, resource.ReadRequest, *resource.ReadResponse)       {}
func (nullResource) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}
