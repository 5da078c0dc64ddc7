declare module "scalar-standalone?url" {
  const url: string;
  // biome-ignore lint/style/noDefaultExport: what the bundler makes of `?url`
  export default url;
}
