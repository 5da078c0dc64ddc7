import { QuarryError } from "@quarry/sdk";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { router } from "./router.tsx";
import "./styles.css";

const MAX_REPEATS = 2;

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // What the service refused, it refuses again; what did not arrive may arrive next time.
      retry: (failures, error) =>
        failures < MAX_REPEATS && !(error instanceof QuarryError && isRefusal(error.status)),
      refetchOnWindowFocus: false,
    },
  },
});

function isRefusal(status: number | null): boolean {
  return status !== null && status >= 400 && status < 500;
}

const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
