#!/bin/sh
# SPDX-License-Identifier: MIT
# doctor.sh VAPL - vapl --doctor: no loader, no driver, a broken driver file, drivers and devices
# that crash or never answer, played by drivers that are made here.
vapl=$(realpath "${1:?usage: doctor.sh path/to/vapl}")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
export HOME="$dir" XDG_CACHE_HOME="$dir/cache"
failed=0 passed=0

# d WHAT CODE PATTERN… -- VARIABLE=…: every pattern is in what the doctor says.
d() {
  what=$1 code=$2
  shift 2
  : > patterns
  while [ "$1" != -- ]; do printf '%s\n' "$1" >> patterns; shift; done
  shift
  env "$@" timeout 120 "$vapl" --doctor --max-time "${seconds:-60}" > got 2>&1 < /dev/null
  got=$? missing=
  while IFS= read -r p; do grep -qe "$p" got || missing="$missing [$p]"; done < patterns
  if [ $got = "$code" ] && [ -z "$missing" ]; then passed=$((passed + 1)); return; fi
  failed=$((failed + 1))
  echo "FAIL $what: exit code $got, expected $code; not said:$missing; said:"
  cat got
}

mkdir loader
echo broken > loader/libvulkan.so.1
cp loader/libvulkan.so.1 loader/libvulkan.so
d "a broken loader" 1 'loader    cannot be used: .*libvulkan' 'apt install libvulkan1' 'runs on the host' -- "LD_LIBRARY_PATH=$dir/loader"
real=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json 2>/dev/null | head -n 1)
if ! ldconfig -p 2>/dev/null | grep -q libvulkan.so.1 || [ -z "$real" ]; then
  echo "doctor.sh: $passed passed, $failed failed"
  [ "$failed" = 0 ]
  exit
fi
d "no driver" 1 'there is no driver: apt install' -- XDG_DATA_DIRS=/none XDG_CONFIG_DIRS=/none
d "a driver file that is not there" 1 'cannot be used: .*none.json' 'reinstall the package of' -- VK_DRIVER_FILES=/none.json
echo '{"broken' > broken.json
d "a broken driver file" 1 'broken.json$' 'cannot be used: ' 'reinstall the package of .*broken.json' -- "VK_DRIVER_FILES=$dir/broken.json"
d "a device that works" 0 'llvmpipe' 'self-test: right' '1 device is fit' -- "VK_DRIVER_FILES=$real"

# driver NAME BODY: a driver file whose library is lavapipe's but for what BODY does.
lib=$(sed -n 's/.*"library_path": *"\([^"]*\)".*/\1/p' "$real")
driver() {
  printf '#include <dlfcn.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n%s\n' "$2" > "$1.c"
  cc -shared -fPIC -DLIB="\"$lib\"" -o "$1.so" "$1.c" -ldl || return 1
  printf '{"file_format_version": "1.0.0", "ICD": {"library_path": "%s", "api_version": "1.3.0"}}\n' "$dir/$1.so" > "$1.json"
}
if command -v cc > /dev/null; then
  driver hangs 'static void __attribute__((constructor)) f(void) { sleep(1000); }'
  driver crashes 'static void __attribute__((constructor)) f(void) { abort(); }'
  # lavapipe with one function in another's place
  wrap() {
    driver "$1" "#include <vulkan/vulkan.h>
static PFN_vkGetPhysicalDeviceFeatures2 features;
static PFN_vkGetDeviceProcAddr device;
static void *real(const char *name) { return dlsym(dlopen(LIB, RTLD_NOW), name); }
$2
VkResult vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *v) {
  return ((VkResult (*)(uint32_t *))real(\"vk_icdNegotiateLoaderICDInterfaceVersion\"))(v);
}
PFN_vkVoidFunction vk_icdGetPhysicalDeviceProcAddr(VkInstance i, const char *name) {
  return ((PFN_vkGetInstanceProcAddr)real(\"vk_icdGetPhysicalDeviceProcAddr\"))(i, name);
}
PFN_vkVoidFunction vk_icdGetInstanceProcAddr(VkInstance i, const char *name) {
  PFN_vkVoidFunction f = ((PFN_vkGetInstanceProcAddr)real(\"vk_icdGetInstanceProcAddr\"))(i, name);
  if (strcmp(name, \"$3\")) return f;
  $4;
}"
  }
  wrap stuck 'static VkResult wait_for_ever(void) { sleep(1000); return VK_SUCCESS; }
static PFN_vkVoidFunction of_device(VkDevice d, const char *name) {
  if (strstr(name, "vkQueueSubmit")) return (PFN_vkVoidFunction)wait_for_ever;
  return device(d, name);
}' vkGetDeviceProcAddr 'device = (PFN_vkGetDeviceProcAddr)f; return (PFN_vkVoidFunction)of_device'
  wrap lacking 'static void without(VkPhysicalDevice p, VkPhysicalDeviceFeatures2 *f) {
  features(p, f);
  for (VkBaseOutStructure *s = f->pNext; s; s = s->pNext)
    if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES)
      ((VkPhysicalDeviceVulkan12Features *)s)->timelineSemaphore = 0;
}' vkGetPhysicalDeviceFeatures2 'features = (PFN_vkGetPhysicalDeviceFeatures2)f; return (PFN_vkVoidFunction)without'
  seconds=8
  d "a driver that hangs" 1 'hangs.json' 'does not answer' 'reinstall the package of .*hangs.json' -- "VK_DRIVER_FILES=$dir/hangs.json"
  d "a driver that crashes" 1 'crashes.json' ' crashes$' -- "VK_DRIVER_FILES=$dir/crashes.json"
  d "a device that hangs" 1 'llvmpipe' 'self-test: no answer in 8 s' -- "VK_DRIVER_FILES=$dir/stuck.json"
  seconds=20
  d "a device that lacks a feature" 1 'refused: timelineSemaphore' 'a newer driver may have' -- "VK_DRIVER_FILES=$dir/lacking.json"
  d "one of two" 1 'self-test: right' "export VK_DRIVER_FILES=$real" -- "VK_DRIVER_FILES=$dir/crashes.json:$real"
fi

echo "doctor.sh: $passed passed, $failed failed"
[ "$failed" = 0 ]
