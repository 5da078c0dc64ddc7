declare module "scalar-standalone?url" {
  const url: string;
  // biome-ignore lint/style/noDefaultExport: the bundler's export for `?url`
  export default url;
}
