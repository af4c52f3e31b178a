// Prints the version and the features of the libcurl that the system has, as definitions for curl.c.
#include <curl/curl.h>
#include <stdio.h>

int main(void) {
  const curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);
  if (!info) return 1;
  printf("-DVERSION=%s -DVERSION_NUMBER=%u -DFEATURES=%d\n", info->version, info->version_num, info->features);
  return 0;
}
