package dev.weir.sim.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class PortsTest {
  @Test
  void theDefaultsAreThoseOfTheInterfaces() {
    Ports ports = new Ports(Ports.DEFAULT_BASE, 3);
    assertThat(ports.coordinator()).isEqualTo(8070);
    assertThat(ports.agent(0)).isEqualTo(8080);
    assertThat(ports.agentGrpc(0)).isEqualTo(8081);
    assertThat(ports.agentAdmin(0)).isEqualTo(8082);
    assertThat(ports.agent(2)).isEqualTo(8100);
    assertThat(Ports.url(ports.agent(1))).hasToString("http://127.0.0.1:8090");
  }

  @Test
  void aPortInUseIsNamedWithTheWayOut() throws IOException {
    try (ServerSocket taken = new ServerSocket()) {
      taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      Ports ports = new Ports(taken.getLocalPort(), 3);
      assertThatThrownBy(ports::requireFree)
          .isInstanceOf(FleetException.class)
          .hasMessageContaining("port " + taken.getLocalPort() + ", meant for the coordinator")
          .hasMessageContaining("--port-base");
    }
  }

  @Test
  void aBaseThatLeavesNoRoomIsRefused() {
    assertThatThrownBy(() -> new Ports(80, 3)).hasMessageContaining("[1024, 65000]: 80");
    assertThatThrownBy(() -> new Ports(65_001, 3)).hasMessageContaining("65001");
  }
}
